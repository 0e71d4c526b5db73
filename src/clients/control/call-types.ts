/** Parameters and results of every call of the control plane. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
import type { CallOptions, Page } from './call.ts'
import type {
  Cast,
  ClaimFields,
  ConformanceRunRecord,
  ConnectionRecord,
  CreatedSandbox,
  EventReached,
  InviteRecord,
  JournalEntry,
  JournalFilter,
  JudgedClaim,
  KeyLimits,
  KeyRecord,
  MarketEventRecord,
  PageFields,
  Reason,
  SandboxFields,
  SandboxRecord,
  ScenarioFields,
  ScenarioList,
  Snapshot,
  StoryRecord,
} from './records.ts'

export interface ControlCalls {
  /**
   * Wait for connections, subscriptions or empty queues. Answers when the sandbox has at least this
   * many connections and subscriptions, and at most this many frames wait in the longest queue.
   * HTTP 408, with what is missing, if that takes too long; 409 if the sandbox is reset or dropped
   * meanwhile. With this call a test needs no sleeps.
   */
  await(id: string, fields?: {
    /** minimum number of sockets */
    connections?: number | undefined
    /** minimum number of subscriptions over all sockets */
    subscriptions?: number | undefined
    /** maximum number of frames in the longest queue */
    queued?: number | undefined
    /** longest wait, ms of the machine; 4000 by default */
    timeoutMs?: number | undefined
  }, options?: CallOptions): Promise<{
    connections: number
    subscriptions: number
    queued: number
  }>
  /** Accounts, coins and ids that can be requested, as of now. */
  cast(id: string, options?: CallOptions): Promise<Cast>
  /**
   * What clients have met of the contract. Counts since the sandbox was made or reset:
   * requirements, operations, parameters, caps, refusals, channels, transitions and scenarios,
   * without the console's own. The items are listed in pages; the other fields are those of a
   * coverage file.
   */
  coverage(id: string, fields?: {
    /** only items of this kind */
    kind?: 'requirement' | 'operation' | 'parameter' | 'cap' | 'refusal' | 'channel' | 'transition'
      | 'scenario' | undefined
    /** only items in this state */
    state?: 'never' | 'met' | 'handled' | undefined
    /** only what concerns this group, in the totals too: `perpdex` */
    group?: string | undefined
    /** maximum number of entries; 200 by default, at most 10000 */
    limit?: number | undefined
    /** where the previous page ended; its `Link` header has the address of the next page */
    cursor?: string | undefined
  }, options?: CallOptions): Promise<Page<{
    /** of a coverage file */
    format: 1
    /** hash of all points */
    contract: string
    /** number of sandboxes: 1 */
    runs: number
    /** the scenarios of the library */
    scenarios: string[]
    /** the points that were met, by their id */
    points: Record<string, {
      met: number
      handled: number
    }>
    /** outcomes that rest on an open question, by `question=answer` */
    questions: Record<string, number>
    /** what was accepted beyond the contract, by the id of its question */
    leniencies: Record<string, number>
    /** requests that the contract does not have, by their refusal */
    beyond: Record<string, number>
    totals: {
      /** of these */
      kind: 'requirement' | 'operation' | 'parameter' | 'cap' | 'refusal' | 'channel' | 'transition'
        | 'scenario'
      /** how many there are */
      total: number
      /** met at least once, handled ones included */
      met: number
      /** met and handled */
      handled: number
      /** those of which it is shown whether they were handled */
      judgeable: number
    }[]
    items: {
      /** of the requirement, or of the point */
      id: string
      /** a sentence of the contract, or a point that a client can meet */
      kind: 'requirement' | 'operation' | 'parameter' | 'cap' | 'refusal' | 'channel' | 'transition'
        | 'scenario'
      /** section of the contract, or group of the point */
      section: string
      /** groups that it concerns */
      groups: string[]
      /** what is met */
      text: string
      /** how often it was met */
      met: number
      /** how often a claim or the next step of the client has shown that it is handled */
      handled: number
      /** never met, met, or met and handled */
      state: 'never' | 'met' | 'handled'
      /** what shows whether it was handled; null where nothing does */
      evidence: 'sequel' | 'claim' | null
    }[]
  }>>
  /**
   * The digest of everything that the sandbox has sent. Covers answers to requests and frames of
   * sockets since the sandbox was made or reset, in this process. Two sandboxes with the same
   * requests at the same instants of a held clock have the same digest; the order of parallel
   * requests does not matter. Calls of the control plane are not included.
   */
  digest(id: string, options?: CallOptions): Promise<{
    /** 16 digits for all answers, then 16 for all frames */
    digest: string
    /** number of answers */
    answers: number
    /** number of frames */
    frames: number
    /** inputs of the run, except the requests and their times */
    run: {
      /** version of Tapewright */
      version: string
      /** hash of operations, channels and open questions */
      contract: string
      /** tape digest and seed */
      world: string
      /** hash of the market events; 0 if there are none */
      events: string
    }
  }>
  /**
   * How a request would be answered, and why. Handles the request in a copy of its sandbox, and
   * returns the very answer, what decided, the sentence of the contract or the open question that
   * it rests on, and the mend. Lists each check in order. For a signature: what should have been
   * signed, how, and the likely mistake. The call changes and counts nothing, is in no journal, and
   * shows no secret. For a request of the past, read `reason` in the journal.
   */
  explain(fields: {
    /** full URL, or path and query */
    url: string
    /** GET by default */
    method?: string | undefined
    /** as JSON, or as text */
    body?: unknown | undefined
    /** header of a body, application/json by default; null for none */
    contentType?: string | null | undefined
  }, options?: CallOptions): Promise<{
    /** the very answer; null where only the upstream service knows it */
    answer: {
      status: number
      contentType: string
      headers: Record<string, string>
      /** the first 16,000 characters */
      body: string
      /** characters of the whole body */
      bodyLength: number
      delivery: string | null
    } | null
    /** what decided; null if it is simply answered */
    reason: Reason | null
    sandbox: string | null
    operation: string | null
    checks: {
      check: string
      passed: boolean
      detail: string
    }[]
    signature: {
      stringToSign: string
      steps: string[]
      received: string | null
      mistake: string | null
      explanation: string
    } | null
  }>
  /**
   * Whether the server is live and ready. A server that answers is live. HTTP 503 means that it is
   * not ready, and `why` gives the reason; it still serves what it can. No token is needed.
   */
  health(options?: CallOptions): Promise<{
    /** true in every answer */
    live: boolean
    /** whether everything works */
    ready: boolean
    /** why it is not ready */
    why?: string | undefined
    /** of Tapewright */
    version: string
  }>
  /**
   * Metrics of the server, as OpenMetrics. For Prometheus and other readers of OpenMetrics. Labels
   * are ids of operations and HTTP statuses; they contain no key, address or sandbox name. No token
   * is needed.
   */
  metrics(options?: CallOptions): Promise<string>
  /**
   * Whether the answers about an address or a coin agree with one another. Checks identities such
   * as "what an account is worth is what came in, what it earned and what it paid" or "a trade lies
   * in the candle of its minute", by what the service answers at the present instant, and shows
   * both sides of each: compare them with your own arithmetic. The call counts and records nothing.
   */
  reconcile(id: string, fields?: {
    /** either this or `coin` */
    address?: string | undefined
    /** either this or `address` */
    coin?: string | undefined
    /** only this one */
    identity?: 'cash' | 'fees' | 'fee-tier' | 'daily-volume' | 'leverage' | 'net-value'
      | 'balance-hold' | 'order-hold' | 'stake' | 'funding' | 'portfolio-value' | 'volumes'
      | 'fills-volume' | 'chain' | 'fill-in-candle' | 'liquidation-in-ledger' | 'resting-order'
      | 'raw-usd' | 'margin-sums' | 'maintenance' | 'unrealised' | 'return-on-equity'
      | 'margin-used' | 'cross-margin' | 'position-mark' | 'state' | 'position-history'
      | 'executions' | 'funding-since-open' | 'completed-trades' | 'statistics' | 'address-stat'
      | 'performance' | 'best-trades' | 'trade-pages' | 'completed-position' | 'account'
      | 'spot-value' | 'spot-balances' | 'portfolio-ends' | 'portfolio-points' | 'venue-portfolio'
      | 'wealth' | 'net-flow' | 'drawdown' | 'fills' | 'order-fills' | 'open-orders' | 'twap-fills'
      | 'fills-by-time' | 'twap-terms' | 'trade-prices' | 'web-data' | 'statistics-account'
      | 'open-snapshots' | 'completed-snapshots' | 'execution-prices' | 'funding-size'
      | 'hour-candle' | 'candles' | 'last-price' | 'trade-in-candle' | 'top-trade-value'
      | 'day-turnover' | 'day-before' | 'taker-delta' | 'best-prices' | 'mid-price' | 'coin-price'
      | 'market-cap' | 'coin-currencies' | 'coin-turnover' | 'interest-sums' | 'interest-history'
      | 'interest-summary' | 'interest-context' | 'interest-pairs' | 'funding-rate'
      | 'whale-positions' | 'liquidation-stat' | 'liquidation-positions' | 'liquidated-order'
      | 'liquidation-minutes' | 'estimated-liquidations' | 'market-liquidations' | 'depth'
      | 'grouped-depth' | 'book-summary' | 'book-order' | 'order-stats' | 'top-orders'
      | 'book-orders' | 'top-order-crossing' | 'twap-wall' | 'interest-parts' | 'whale-states'
      | 'liquidation-hours' | 'order-sides' | 'order-distance' | 'coin-change' | 'coin-week'
      | 'context-mid' | 'twap-impact' | 'navigation-price' | undefined
    /** true: also the records and requests of the two sides */
    records?: boolean | undefined
  }, options?: CallOptions): Promise<{
    address?: string | undefined
    coin?: string | undefined
    /** whether all of them hold */
    holds: boolean
    identities: {
      id: string
      sentence: string
      /** the answers that it joins; why it must hold */
      source: string
      holds: boolean
      /** number of comparisons; 0 without data to compare */
      count: number
      /** at most 50; those that do not hold come first */
      compared: {
        /** the compared subject: a coin, a window, the number of a fill */
        of: string
        /** decimal */
        left: string
        /** required relation of the left side to the right one */
        relation: 'equal' | 'atMost'
        /** decimal */
        right: string
        /** left less right */
        difference: string
        /** the most by which they may differ, since a side is rounded when it is written */
        within: string
        holds: boolean
        /** what makes up the two sides */
        records?: unknown | undefined
      }[]
      /** with records: what was compared are the answers to these, at most 100 */
      requests?: {
        /** subscribe: `body` is the subscription that a socket of the path is sent */
        method: 'GET' | 'POST' | 'subscribe'
        /** with its query, without the signature */
        path: string
        body?: unknown | undefined
      }[] | undefined
    }[]
  }>
  bookmarks: {
    /** Delete a bookmark. */
    delete(id: string, bookmark: string, options?: CallOptions): Promise<{
      deleted: string
    }>
    /** All bookmarks. */
    list(id: string, fields?: PageFields, options?: CallOptions): Promise<Page<{
      bookmark: string
      /** tape time, ms */
      at: number
    }[]>>
    /** Bookmark a position of the tape. You can then set the playhead to it: `{"at": "<name>"}`. */
    set(id: string, bookmark: string, fields?: {
      /** tape time in ms; below 10^10 an offset from the start of the tape */
      at?: number | undefined
    }, options?: CallOptions): Promise<{
      bookmark: string
      /** tape time, ms */
      at: number
    }>
  }
  claims: {
    /**
     * The claims of clients, with their verdicts. The newest 200, wrong ones first to stay; counts
     * are of all since the last reset.
     */
    list(id: string, fields?: {
      /**
       * open: nothing can be held against the client, for example because a rule changes its data
       */
      verdict?: 'true' | 'wrong' | 'open' | undefined
    }, options?: CallOptions): Promise<{
      /** oldest first */
      claims: JudgedClaim[]
      counts: {
        true: number
        wrong: number
        open: number
      }
    }>
    /**
     * Judge what a client believes. A client says what it believes, and the answer says whether it
     * is true. `book`: This is the book that I would trade on. `position`: This is the position of
     * an account. `fills`: These are all fills of an account in a time, each once. `stale`: I hold
     * this feed for stale, or for fresh. `subscribed`: I am subscribed to these. `candle`: This
     * candle is closed. A push that was sent within 5 s of session time may still be on its way: it
     * is never held against the client, and neither is what a scenario has falsified.
     */
    make(id: string, fields: ClaimFields, options?: CallOptions): Promise<JudgedClaim>
  }
  clock: {
    /**
     * Move the clock forward. Answers when every due alarm has fired, in order, and every push has
     * been queued. The market moves with the clock. After the end of its tape it is grown as far as
     * needed, during the call. For a step over weeks, to renew quotas or to age keys, use
     * `"market": "stays"`: the market stays at its instant, and only its shown times move, by the
     * same amount in one step or in many. `next-month` does this by default. The call stops where
     * it is if its caller disconnects, or if the sandbox is reset or dropped. If a `Timestamp`
     * names the machine's time, a move that ages signatures also waits for the machine's next
     * second, because a `Timestamp` has whole seconds: older signatures are then older, and new
     * ones are fresh.
     */
    advance(id: string, fields?: {
      /** length of the step, ms */
      ms?: number | undefined
      /** the next refill of rate limits, or renewal of quotas */
      to?: 'next-minute' | 'next-month' | undefined
      /**
       * `moves` (default): the market moves with the clock. `stays`: it stays at its instant, which
       * is then shown as the new now
       */
      market?: 'moves' | 'stays' | undefined
      /** allow a call that grows up to 31 days of market instead of 2; it may take minutes */
      force?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord & {
      /** the alarms that fired, in order */
      fired: {
        /** session time, ms */
        at: number
        /** purpose of the alarm */
        what: string
      }[]
      /** number of alarms that fired after those */
      more: number
    }>
    /**
     * Run, hold or set the clock. If you set the clock forward, every due alarm fires first, and
     * the market moves with the clock; clock/advance can leave the market at its instant. A clock
     * cannot be set back.
     */
    set(id: string, fields?: {
      /** whether it runs with the machine */
      state?: 'running' | 'held' | undefined
      /** session time, ms */
      now?: number | undefined
      /** allow a call that grows up to 31 days of market instead of 2; it may take minutes */
      force?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord>
  }
  conformance: {
    /** The state of the latest run of the suite. */
    get(fields?: {
      /** a failed case, to be returned in full */
      case?: string | undefined
    }, options?: CallOptions): Promise<ConformanceRunRecord>
    /**
     * Run the conformance suite. Runs it against a target with its keys. Without a target, makes a
     * sandbox on this server for the run and drops it afterwards. One run at a time. The call
     * answers at once; read the progress with `GET`.
     */
    start(fields?: {
      /** its base URL */
      target?: string | undefined
      /** keys of the target; at least `full` */
      keys?: {
        full: {
          accessKey: string
          secretKey: string
        }
        partner?: {
          accessKey: string
          secretKey: string
        } | undefined
        sub?: {
          accessKey: string
          secretKey: string
        } | undefined
      } | undefined
      /** only cases whose id begins with this; all by default */
      only?: string[] | undefined
      /** maximum requests a minute */
      ratePerMinute?: number | undefined
    }, options?: CallOptions): Promise<ConformanceRunRecord>
    /**
     * Stop the run of the suite. Its results so far are kept. Without a run, the call does nothing.
     */
    stop(options?: CallOptions): Promise<ConformanceRunRecord>
  }
  connections: {
    /**
     * The open connections, with their streams. Why a client sees nothing, or is closed soon. At
     * most the first 1000 of them.
     */
    list(id: string, options?: CallOptions): Promise<ConnectionRecord[]>
  }
  guest: {
    /**
     * The link for read-only guests. A guest with this link can see everything in the console and
     * change nothing. Its token allows only calls that change nothing and whose answers contain no
     * secrets. The link stays valid after a restart; another `TAPEWRIGHT_CONTROL_TOKEN` ends it. It
     * does not protect the keys of a sandbox: anyone who knows a key can sign with it.
     */
    get(options?: CallOptions): Promise<{
      /** use it as a control token */
      token: string
      /** address of the console for guests */
      url: string
    }>
  }
  invites: {
    /**
     * Make an invite token. A distributor that registers with this token gets the values given
     * here.
     */
    create(id: string, fields?: {
      /** generated by default */
      inviteToken?: string | undefined
      /** name of its user */
      name?: string | undefined
      /** name of its user */
      level?: string | undefined
      /** sub keys */
      maxSubKeys?: number | undefined
      /** requests a month, over all sub keys */
      maxTotalQuota?: number | undefined
      maxConnections?: number | null | undefined
      maxSubscriptions?: number | null | undefined
    }, options?: CallOptions): Promise<InviteRecord>
    /** All invite tokens, with the distributors that used them. */
    list(id: string, fields?: PageFields, options?: CallOptions): Promise<Page<InviteRecord[]>>
  }
  journal: {
    /** Clear the journal. */
    clear(id: string, options?: CallOptions): Promise<{
      /** the next entry has the number after this one */
      newest: number
    }>
    /**
     * How many entries match. For example, to check that a key has called /fills exactly twice.
     * Check `dropped` too.
     */
    count(id: string, fields?: JournalFilter, options?: CallOptions): Promise<{
      count: number
      /** entries removed to make room */
      dropped: number
    }>
    /**
     * Read the journal. Returns the newest matching entries, oldest first; the next page has
     * earlier ones. With `Accept: text/event-stream` the call sends the entries after `since`, and
     * then new entries as they are written. The journal contains no secrets and no signatures.
     */
    read(id: string, fields?: JournalFilter & {
      /** maximum number of entries; 200 by default, at most 10000 */
      limit?: number | undefined
      /** where the previous page ended; its `Link` header has the address of the next page */
      cursor?: string | undefined
    }, options?: CallOptions): Promise<Page<{
      entries: JournalEntry[]
      /** entries removed to make room */
      dropped: number
      /** number of the newest entry */
      newest: number
    }>>
    /** Turn the journal on or off, or limit its size. */
    set(id: string, fields?: {
      /** whether entries are recorded */
      on?: boolean | undefined
      /** maximum size, bytes */
      bytes?: number | undefined
    }, options?: CallOptions): Promise<{
      on: boolean
      bytes: number
    }>
  }
  keys: {
    /**
     * Change a key. Fields that you leave out do not change. The change applies from the next
     * request.
     */
    change(id: string, key: string, fields?: {
      /** name of its user */
      name?: string | undefined
      /** level of a sub key */
      level?: string | undefined
      permissions?: string[] | null | undefined
      /** whether the key is accepted */
      status?: 'active' | 'disabled' | undefined
      limits?: KeyLimits | undefined
    }, options?: CallOptions): Promise<KeyRecord>
    /**
     * Make a key. A sub key has the permissions of its level, and starts with the quota of its
     * level. A direct key has its own permissions and limits, or those of a plan; with `[]` it can
     * call no data endpoint. A partner is a distributor. The secret key is shown only here.
     */
    create(id: string, fields: {
      /** kind of the key */
      kind: 'sub' | 'direct' | 'partner'
      /** name of its user */
      name?: string | undefined
      /** distributor of a sub key; the first one by default */
      distributor?: string | undefined
      /** level of a sub key */
      level?: string | undefined
      /** the distributor may configure the level later */
      levelMayBeAbsent?: boolean | undefined
      permissions?: string[] | null | undefined
      /** limits of a direct key */
      plan?: 'free' | 'basic' | 'standard' | 'advanced' | 'pro' | undefined
      limits?: KeyLimits | undefined
    }, options?: CallOptions): Promise<KeyRecord & {
      secretKey: string
    }>
    /** Delete a key. */
    delete(id: string, key: string, options?: CallOptions): Promise<{
      deleted: string
    }>
    /** A key, with its usage. */
    get(id: string, key: string, options?: CallOptions): Promise<KeyRecord>
    /** All keys, with their usage. */
    list(id: string, fields?: PageFields, options?: CallOptions): Promise<Page<KeyRecord[]>>
  }
  market: {
    /**
     * The market events of a sandbox, with their results. In the order of the requests, as of the
     * position of the playhead.
     */
    events(id: string, options?: CallOptions): Promise<{
      events: MarketEventRecord[]
    }>
    /**
     * Start a market event. The event begins now, or `afterS` later. Other coins, exchanges, books,
     * positions, funding and news follow. From then on the sandbox has its own market; data already
     * shown to clients does not change. An impossible event is refused with the reason, and changes
     * nothing.
     */
    trigger(id: string, fields: {
      /** kind of the event */
      kind: 'move' | 'liquidations' | 'whale' | 'volatility' | 'volume' | 'spread' | 'depth'
        | 'funding' | 'halt' | 'listing' | 'news'
      /**
       * move, liquidations, whale, funding: coin of the market, such as BTC, or `busiest` or
       * `quietest` by turnover; volatility, volume, spread, depth, halt: coin of the market, such
       * as BTC or `busiest`; all coins by default; listing: name of the new coin, 2 to 12 letters
       * and digits; `newcomer` is the first prepared one that the market does not have
       */
      coin?: string | undefined
      /**
       * move: size of the move in percent of the price; more than -100; funding: hourly funding
       * rate in percent; 0.00125 is usual
       */
      pct?: number | undefined
      /**
       * move: duration, s; liquidations: duration, 60 by default, s; whale: duration of a TWAP; one
       * market order by default, s
       */
      overS?: number | undefined
      /** move: part of the move that is taken back over the same time, in percent */
      revertPct?: number | undefined
      /** liquidations: side of the positions: `long` or `short`; whale: `buy` or `sell` */
      side?: 'long' | 'short' | 'buy' | 'sell' | undefined
      /** liquidations: amount to liquidate, dollars; whale: total amount, dollars */
      usd?: number | undefined
      /** liquidations: amount in percent of the open interest; instead of `usd` */
      interestPct?: number | undefined
      /**
       * volatility: factor of the usual movements; volume: factor of the usual volume; spread:
       * factor of the usual spread; depth: factor of the usual size
       */
      factor?: number | undefined
      /** volatility, volume, spread, depth, funding, halt: duration, s */
      forS?: number | undefined
      /** listing: first price, dollars; prepared coins have one */
      px?: number | undefined
      /** listing: turnover of a usual day, dollars; 20000000 by default */
      dayUsd?: number | undefined
      /**
       * news: subject: financing, fund-position, licence, mining, new-fund, product, rule-making,
       * survey
       */
      story?: 'financing' | 'fund-position' | 'licence' | 'mining' | 'new-fund' | 'product'
        | 'rule-making' | 'survey' | undefined
      /** delay of its start, s of market time; at once by default */
      afterS?: number | undefined
    }, options?: CallOptions): Promise<MarketEventRecord>
  }
  playhead: {
    /**
     * Marks along the tape. Gaps of the tape, faults of scenarios (the newest 1000 that are still
     * in the journal) and bookmarks, ordered by time. You can set the playhead to `at`.
     */
    marks(id: string, fields?: {
      /** only marks of this kind */
      kind?: 'bookmark' | 'gap' | 'fault' | undefined
    }, options?: CallOptions): Promise<{
      /** tape time, ms */
      at: number
      /** end of a gap; otherwise the same as `at`, ms */
      until: number
      /** kind of the mark */
      kind: 'bookmark' | 'gap' | 'fault'
      /** name of the bookmark or rule, or reason of the gap */
      what: string
    }[]>
    /**
     * Run until a condition is true. Example: `coin == BTC and px > 62000`. A condition may use
     * kind, coin, px, sz, side, bid, ask, address, dir, type and time of events. The call moves the
     * clock until the playhead reaches the event; subscribers receive everything up to it. A
     * condition has at most 64 comparisons and 16 nested parentheses. The search ends if its caller
     * disconnects, or if the sandbox is reset or dropped.
     */
    run(id: string, fields: {
      /** the condition */
      until: string
      /** tape time to search, ms; one lap by default, at most a week */
      withinMs?: number | undefined
    }, options?: CallOptions): Promise<EventReached>
    /**
     * Set speed, position, end behaviour and delivery. For a position after the end of the tape,
     * the market is grown first. `continue` lets the market continue after its tape. `hold` stops
     * it at the end, or at its present position after the end. `loop` starts the tape again: data
     * of the previous lap is gone, subscribers receive snapshots, and the journal has an entry.
     * Another position has the same effects.
     */
    set(id: string, fields?: {
      at?: number | string | undefined
      /** 0 is paused, 1 is as recorded, `max` is as fast as subscribers can read */
      speed?: number | 'max' | undefined
      /** behaviour at the end of the tape: continue the market, hold it, or loop the tape */
      end?: 'continue' | 'hold' | 'loop' | undefined
      /**
       * whether the tape waits for slow subscribers: `paced` waits at more than the recorded speed,
       * `lossless` always waits for the slowest one, `live` never waits. Frames that do not fit
       * into the queue of a slow client are discarded and counted
       */
      delivery?: 'paced' | 'lossless' | 'live' | undefined
      /** allow a call that grows up to 31 days of market instead of 2; it may take minutes */
      force?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord>
    /**
     * Step to the next event. Moves the clock until the playhead reaches the event; subscribers
     * receive everything up to it. With a coin or a kind, steps to the next matching event.
     */
    step(id: string, fields?: {
      /** only events of this coin */
      coin?: string | undefined
      /** only events of this kind */
      kind?: 'trade' | 'book' | 'bbo' | 'mark' | 'fill' | 'order' | 'ledger' | undefined
    }, options?: CallOptions): Promise<EventReached>
  }
  sandboxes: {
    /**
     * Make a sandbox. Options that you leave out are the server's. A sandbox made from a snapshot
     * has the state and the keys of the snapshot; if another sandbox has the same keys, use
     * `baseUrl` to tell them apart. If a snapshot is too large for this body, make the sandbox
     * without it, then restore it with `PUT …/snapshot`.
     */
    create(fields?: SandboxFields, options?: CallOptions): Promise<CreatedSandbox>
    /**
     * Drop a sandbox. Closes its connections and removes its state. The default sandbox cannot be
     * dropped.
     */
    drop(id: string, options?: CallOptions): Promise<{
      dropped: string
    }>
    /** A sandbox. */
    get(id: string, fields?: {
      /** add memory and processor time, which are not the same in two runs */
      usage?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord>
    /** All sandboxes. */
    list(fields?: {
      /** maximum number of entries; 1000 by default, at most 1000 */
      limit?: number | undefined
      /** where the previous page ended; its `Link` header has the address of the next page */
      cursor?: string | undefined
      /** add memory and processor time, which are not the same in two runs */
      usage?: boolean | undefined
    }, options?: CallOptions): Promise<Page<SandboxRecord[]>>
    /**
     * Reset a sandbox. Clock, playhead and state return to the time when it was made. Closes its
     * connections.
     */
    reset(id: string, options?: CallOptions): Promise<SandboxRecord>
  }
  scenario: {
    /**
     * Add a scenario. Its times count from now. Its rules act after those of the other active
     * scenarios.
     */
    add(id: string, fields?: ScenarioFields, options?: CallOptions): Promise<ScenarioList>
    /**
     * Remove scenarios. Removes all scenarios, or those with this name. The others continue
     * unchanged.
     */
    clear(id: string, fields?: {
      name?: string | undefined
    }, options?: CallOptions): Promise<ScenarioList>
    /** The active scenarios. */
    get(id: string, options?: CallOptions): Promise<ScenarioList>
    /**
     * Switch a scenario on instead of all others. Its times count from now. An invalid scenario
     * changes nothing.
     */
    set(id: string, fields?: ScenarioFields, options?: CallOptions): Promise<ScenarioList>
  }
  scenarios: {
    /**
     * The scenarios of the library. You can switch each on by its name, or send a changed copy of
     * its `source`.
     */
    library(options?: CallOptions): Promise<{
      name: string
      /** short description */
      title: string
      /** what a client must cope with */
      guidance?: string | undefined
      /** its text: `{title, rules, …}` */
      source: unknown
    }[]>
  }
  snapshot: {
    /**
     * A sandbox's state, to save as a file. Contains keys, levels, invites, usage, alerts, clock,
     * playhead, bookmarks and answers to open questions. It contains secret keys, so protect the
     * file like the keys. It contains no connections and no journal entries. It has at most 3500000
     * bytes.
     */
    get(id: string, options?: CallOptions): Promise<Snapshot>
    /**
     * Restore a sandbox from a snapshot. The sandbox then answers like the one the snapshot was
     * taken from, and `reset` returns to this state. Connections are closed. A held clock keeps its
     * time; a running clock has run on with the machine. The snapshot must be of the same world.
     */
    put(id: string, fields?: Snapshot, options?: CallOptions): Promise<SandboxRecord>
  }
  story: {
    /**
     * The stories that the console can play. Reads their files each time, and lists the errors in
     * invalid ones.
     */
    list(options?: CallOptions): Promise<{
      stories: StoryRecord[]
      /** file, line and field */
      flaws: string[]
    }>
  }
  usage: {
    /**
     * Set a key's usage of this month. Give either the used requests, or the remaining requests of
     * its quota.
     */
    set(id: string, key: string, fields?: {
      /** requests used */
      used?: number | undefined
      /** requests left */
      remaining?: number | undefined
    }, options?: CallOptions): Promise<KeyRecord>
  }
}
