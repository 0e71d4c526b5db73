/** What every call of the control plane takes and answers. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
import type { CallOptions, Page } from './call.ts'
import type {
  Cast,
  ConformanceRunRecord,
  ConnectionRecord,
  CreatedSandbox,
  EventReached,
  InviteRecord,
  JournalEntry,
  JournalFilter,
  KeyLimits,
  KeyRecord,
  MarketEventRecord,
  PageFields,
  SandboxFields,
  SandboxRecord,
  ScenarioFields,
  ScenarioList,
  Snapshot,
  StoryRecord,
} from './records.ts'

export interface ControlCalls {
  /**
   * Wait until so many are there. Answers when there are at least so many connections and
   * subscriptions, and at most so many frames wait in the longest queue; HTTP 408 with what is
   * missing when that takes too long, 409 when the sandbox is reset or dropped meanwhile. With it a
   * test needs no sleeps.
   */
  await(id: string, fields?: {
    /** sockets, at least */
    connections?: number | undefined
    /** subscriptions over all sockets, at least */
    subscriptions?: number | undefined
    /** frames in the longest queue, at most */
    queued?: number | undefined
    /** how long to wait at most, ms of the machine; 4000 if left out */
    timeoutMs?: number | undefined
  }, options?: CallOptions): Promise<{
    connections: number
    subscriptions: number
    queued: number
  }>
  /** Accounts, coins and ids that can be requested, as of now. */
  cast(id: string, options?: CallOptions): Promise<Cast>
  /**
   * One line for everything that the sandbox has said. Since it was made or reset, in this process:
   * answers to requests, and frames of sockets. Two that were asked the same at the same instants
   * of a held clock have the same one, in whatever order parallel requests came. Calls of the
   * control plane are not in it.
   */
  digest(id: string, options?: CallOptions): Promise<{
    /** 16 digits of all answers, and 16 of all frames of each socket */
    digest: string
    /** how many answers */
    answers: number
    /** how many frames */
    frames: number
    /** what they follow from, besides what was asked and when */
    run: {
      /** of Tapewright */
      version: string
      /** hash of operations, channels and open questions */
      contract: string
      /** tape digest and seed */
      world: string
      /** hash of what the market was told; 0 for nothing */
      events: string
    }
  }>
  /**
   * How a request would be answered, and why. Each check in the order in which it is made. For a
   * signature: what should have been signed, how, and the likely mistake. Nothing is changed or
   * counted, and no secret is shown.
   */
  explain(fields: {
    /** full URL, or path and query */
    url: string
    /** GET when left out */
    method?: string | undefined
    /** as JSON, or as text */
    body?: unknown | undefined
  }, options?: CallOptions): Promise<{
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
   * Whether the server is live and ready. Live is whatever answers. HTTP 503 says that it is not
   * ready, and `why` says why not; what can be served is served all the same. The token is not
   * needed.
   */
  health(options?: CallOptions): Promise<{
    /** true in every answer */
    live: boolean
    /** whether everything works as it should */
    ready: boolean
    /** why it is not ready */
    why?: string | undefined
    /** of Tapewright */
    version: string
  }>
  /**
   * What the server does and holds, as OpenMetrics. For Prometheus and whatever else reads
   * OpenMetrics. Labels are ids of operations and HTTP statuses; no key, address or name of a
   * sandbox is among them, and the token is not needed.
   */
  metrics(options?: CallOptions): Promise<string>
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
    /** Bookmark a position of the tape. The playhead can then be set to it: `{"at": "<name>"}`. */
    set(id: string, bookmark: string, fields?: {
      /** tape time in ms; below 10^10 an offset from the start of the tape */
      at?: number | undefined
    }, options?: CallOptions): Promise<{
      bookmark: string
      /** tape time, ms */
      at: number
    }>
  }
  clock: {
    /**
     * Move the clock forward. Answers when every alarm that fell due has fired, in order, and every
     * push has been queued. The market goes with the clock, after its tape as far as it takes: it
     * is grown first, as the call goes on. A step over weeks, to renew quotas or to age keys,
     * leaves it where it is with `"market": "stays"`, as `next-month` does by itself: then only the
     * times move that clients are shown of it, as much in one step as in many. It ends where it has
     * come to when its caller goes away, or the sandbox is reset or dropped. A move that ages
     * signatures also waits for the machine's next second, where a `Timestamp` names the machine's
     * time, because it names no less: one signed before is then older, one signed after is fresh.
     */
    advance(id: string, fields?: {
      /** how far, ms */
      ms?: number | undefined
      /** where rates are refilled, or quotas renewed */
      to?: 'next-minute' | 'next-month' | undefined
      /**
       * whether the market goes with the clock, as it does if this is left out, or stays at its
       * instant and is shown as of the new now
       */
      market?: 'moves' | 'stays' | undefined
      /** to grow a market for minutes where that is needed: up to 31 days of it, not 2 */
      force?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord & {
      /** the alarms that fired, in order */
      fired: {
        /** session time, ms */
        at: number
        /** what it was for */
        what: string
      }[]
      /** how many fired after those */
      more: number
    }>
    /**
     * Run, hold or set the clock. Set forward, every alarm that falls due fires first, and the
     * market goes with it; clock/advance can leave the market where it is. It cannot be set back.
     */
    set(id: string, fields?: {
      /** whether it runs with the machine */
      state?: 'running' | 'held' | undefined
      /** session time, ms */
      now?: number | undefined
      /** to grow a market for minutes where that is needed: up to 31 days of it, not 2 */
      force?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord>
  }
  conformance: {
    /** How the latest run of the suite stands. */
    get(fields?: {
      /** a case that has failed, told in full */
      case?: string | undefined
    }, options?: CallOptions): Promise<ConformanceRunRecord>
    /**
     * Run the conformance suite. Against a target with its keys; without one, against a sandbox of
     * this server that is made for it and dropped. One at a time. The call answers at once: the run
     * is watched by `GET`.
     */
    start(fields?: {
      /** its base URL */
      target?: string | undefined
      /** there; `full` at least, with a target */
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
      /** cases whose id begins so; all when left out */
      only?: string[] | undefined
      /** requests at most */
      ratePerMinute?: number | undefined
    }, options?: CallOptions): Promise<ConformanceRunRecord>
    /**
     * Stop the run of the suite. What it has found by then stays. Without a run nothing happens.
     */
    stop(options?: CallOptions): Promise<ConformanceRunRecord>
  }
  connections: {
    /**
     * The connections that are open, with what they follow. Why a client sees nothing, or is closed
     * soon. At most the first 1000 of them.
     */
    list(id: string, options?: CallOptions): Promise<ConnectionRecord[]>
  }
  guest: {
    /**
     * The link for read-only guests. Whoever opens it can look at everything in the console and
     * change nothing: to the token in it only calls that change nothing are answered, and none with
     * secrets in their answers. It outlives a restart, and another `TAPEWRIGHT_CONTROL_TOKEN` ends
     * it. The keys of a sandbox are another matter: who knows one can sign with it.
     */
    get(options?: CallOptions): Promise<{
      /** sent as a control token */
      token: string
      /** of the console, for guests */
      url: string
    }>
  }
  invites: {
    /**
     * Make an invite token. What it presets is what the distributor that registers with it will be.
     */
    create(id: string, fields?: {
      /** one is made if left out */
      inviteToken?: string | undefined
      /** for whom */
      name?: string | undefined
      /** for whom */
      level?: string | undefined
      /** sub keys */
      maxSubKeys?: number | undefined
      /** requests a month, over all sub keys */
      maxTotalQuota?: number | undefined
      maxConnections?: number | null | undefined
      maxSubscriptions?: number | null | undefined
    }, options?: CallOptions): Promise<InviteRecord>
    /** All invite tokens, with the distributors they have made. */
    list(id: string, fields?: PageFields, options?: CallOptions): Promise<Page<InviteRecord[]>>
  }
  journal: {
    /** Clear the journal. */
    clear(id: string, options?: CallOptions): Promise<{
      /** numbers go on after this one */
      newest: number
    }>
    /**
     * How many entries match. Such as: was /fills called exactly twice by this key? Look at
     * `dropped` too.
     */
    count(id: string, fields?: JournalFilter, options?: CallOptions): Promise<{
      count: number
      /** entries that had to make room */
      dropped: number
    }>
    /**
     * What came in and went out, and why. The newest entries that match, oldest first; the next
     * page has those before them. With `Accept: text/event-stream` entries are sent as they come,
     * first those after `since`. Secrets and signatures are never in it.
     */
    read(id: string, fields?: JournalFilter & {
      /** how many at most; 200 if left out, up to 10000 */
      limit?: number | undefined
      /** where the page before ended: its `Link` header has the address of the next */
      cursor?: string | undefined
    }, options?: CallOptions): Promise<Page<{
      entries: JournalEntry[]
      /** entries that had to make room */
      dropped: number
      /** number of the newest entry */
      newest: number
    }>>
    /** Turn the journal on or off, or bound it. */
    set(id: string, fields?: {
      /** whether anything is kept */
      on?: boolean | undefined
      /** how much is kept at most */
      bytes?: number | undefined
    }, options?: CallOptions): Promise<{
      on: boolean
      bytes: number
    }>
  }
  keys: {
    /** Change a key. What is left out stays as it is. It counts from the next request on. */
    change(id: string, key: string, fields?: {
      /** for whom */
      name?: string | undefined
      /** of a sub key */
      level?: string | undefined
      permissions?: string[] | null | undefined
      /** whether it is let in */
      status?: 'active' | 'disabled' | undefined
      limits?: KeyLimits | undefined
    }, options?: CallOptions): Promise<KeyRecord>
    /**
     * Make a key. A sub key has the rights of its level, and the quota that the level presets when
     * it is made; a direct key has permissions and limits of its own, or those of a plan; a partner
     * is a distributor. The secret key is shown here only.
     */
    create(id: string, fields: {
      /** what it stands for */
      kind: 'sub' | 'direct' | 'partner'
      /** for whom */
      name?: string | undefined
      /** of a sub key; else the first one */
      distributor?: string | undefined
      /** of a sub key */
      level?: string | undefined
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
    /** A key, with what it has used. */
    get(id: string, key: string, options?: CallOptions): Promise<KeyRecord>
    /** All keys, with what they have used. */
    list(id: string, fields?: PageFields, options?: CallOptions): Promise<Page<KeyRecord[]>>
  }
  market: {
    /**
     * What the market was told, and what came of it. In the order in which it was asked for, as of
     * where the playhead is.
     */
    events(id: string, options?: CallOptions): Promise<{
      events: MarketEventRecord[]
    }>
    /**
     * Tell the market what to do. It does so from now on, or `afterS` later, and all else follows:
     * other coins, exchanges, books, positions, funding, news. The sandbox goes on in a market of
     * its own; what clients have been shown stays. What cannot be done is refused with the reason,
     * and changes nothing.
     */
    trigger(id: string, fields: {
      /** what the market does */
      kind: 'move' | 'liquidations' | 'whale' | 'volatility' | 'volume' | 'spread' | 'depth'
        | 'funding' | 'halt' | 'listing' | 'news'
      /**
       * move, liquidations, whale, funding: coin of the market, such as BTC; `busiest` and
       * `quietest` are found by turnover; volatility, volume, spread, depth, halt: coin of the
       * market, such as BTC or `busiest`; all of them when it is left out; listing: name of the new
       * coin, 2 to 12 letters and digits; `newcomer` is the first prepared one that the market does
       * not have
       */
      coin?: string | undefined
      /**
       * move: by how many percent of its price; above -100, at which nothing would be left;
       * funding: hourly funding rate in percent; 0.00125 is the usual one
       */
      pct?: number | undefined
      /**
       * move: how long it takes, s; liquidations: how long it takes, 60 when it is left out, s;
       * whale: over how long; one order when it is left out, s
       */
      overS?: number | undefined
      /** move: how many percent of the move are taken back, over as long again */
      revertPct?: number | undefined
      /** liquidations: whose positions: `long` or `short`; whale: `buy` or `sell` */
      side?: 'long' | 'short' | 'buy' | 'sell' | undefined
      /** liquidations: how much is liquidated, dollars; whale: how much in all, dollars */
      usd?: number | undefined
      /** liquidations: how much, as percent of the open interest; instead of `usd` */
      interestPct?: number | undefined
      /**
       * volatility: how many times as far as before; volume, depth: how many times as much as
       * before; spread: how many times as wide as before
       */
      factor?: number | undefined
      /** volatility, volume, spread, depth, funding, halt: for how long, s */
      forS?: number | undefined
      /** listing: the price that it begins at, dollars; prepared coins have one */
      px?: number | undefined
      /** listing: turnover of a usual day, dollars; 20000000 when it is left out */
      dayUsd?: number | undefined
      /**
       * news: what it is about: financing, fund-position, licence, mining, new-fund, product,
       * rule-making, survey
       */
      story?: 'financing' | 'fund-position' | 'licence' | 'mining' | 'new-fund' | 'product'
        | 'rule-making' | 'survey' | undefined
      /** how much later it begins, s of the market; at once when it is left out */
      afterS?: number | undefined
    }, options?: CallOptions): Promise<MarketEventRecord>
  }
  playhead: {
    /**
     * Marks along the tape. Where the tape lacks something, where scenarios did something (as far
     * back as the journal goes, the newest 1000), and the bookmarks, in order of time. The playhead
     * can be set to `at`.
     */
    marks(id: string, fields?: {
      /** of this sort only */
      kind?: 'bookmark' | 'gap' | 'fault' | undefined
    }, options?: CallOptions): Promise<{
      /** tape time, ms */
      at: number
      /** its end, of a gap; else the same, ms */
      until: number
      /** what is there */
      kind: 'bookmark' | 'gap' | 'fault'
      /** name of the bookmark or rule, or why there is a gap */
      what: string
    }[]>
    /**
     * Run until a condition comes true. Such as `coin == BTC and px > 62000`, over kind, coin, px,
     * sz, side, bid, ask, address, dir, type and time of events. Moves the clock until the playhead
     * is there; subscribers receive everything up to it. At most 64 comparisons, 16 parentheses
     * within one another. The search ends when its caller goes away, or the sandbox is reset or
     * dropped.
     */
    run(id: string, fields: {
      /** the condition */
      until: string
      /** tape time to look through; one lap if left out, a week at most */
      withinMs?: number | undefined
    }, options?: CallOptions): Promise<EventReached>
    /**
     * Set speed, position, end behaviour and delivery. A position after the end of the tape is
     * grown first. `continue` lets the market go on after its tape, `hold` keeps it at the end, or
     * where it is beyond that. `loop` begins the tape anew: what was shown of a lap is no more in
     * the next one, its ids come again, subscribers are sent snapshots, and the journal has an
     * entry. The same goes for another position.
     */
    set(id: string, fields?: {
      at?: number | string | undefined
      /** 0 is paused, 1 is as recorded, `max` is as fast as subscribers take it */
      speed?: number | 'max' | undefined
      /**
       * what happens at the end of the tape: the market goes on, stands, or begins the tape anew
       */
      end?: 'continue' | 'hold' | 'loop' | undefined
      /**
       * who is waited for: `paced` waits for subscribers when it is faster than recorded,
       * `lossless` for the slowest at any speed and as long as it takes, `live` for nobody: what
       * does not fit into the queue of a slow client is discarded and counted
       */
      delivery?: 'paced' | 'lossless' | 'live' | undefined
      /** to grow a market for minutes where that is needed: up to 31 days of it, not 2 */
      force?: boolean | undefined
    }, options?: CallOptions): Promise<SandboxRecord>
    /**
     * Step to the next event. Moves the clock until the playhead is there; subscribers receive
     * everything up to it. With a coin or a kind, to the next one that matches.
     */
    step(id: string, fields?: {
      /** of this coin */
      coin?: string | undefined
      /** of this kind */
      kind?: 'trade' | 'book' | 'bbo' | 'mark' | 'fill' | 'order' | 'ledger' | undefined
    }, options?: CallOptions): Promise<EventReached>
  }
  sandboxes: {
    /**
     * Make a sandbox. What is left out is as the server was started. Made from a snapshot, it is as
     * the snapshot says and has its keys; while another sandbox has the same ones, `baseUrl` tells
     * them apart. A snapshot that is too large for a body is put into a sandbox that was made
     * without it.
     */
    create(fields?: SandboxFields, options?: CallOptions): Promise<CreatedSandbox>
    /** Drop a sandbox. Its connections are closed; nothing of it is left. The default one stays. */
    drop(id: string, options?: CallOptions): Promise<{
      dropped: string
    }>
    /** A sandbox. */
    get(id: string, options?: CallOptions): Promise<SandboxRecord>
    /** All sandboxes. */
    list(fields?: PageFields, options?: CallOptions): Promise<Page<SandboxRecord[]>>
    /**
     * Make a sandbox as it was. Clock, playhead and state are as they were when it was made; its
     * connections are closed.
     */
    reset(id: string, options?: CallOptions): Promise<SandboxRecord>
  }
  scenario: {
    /**
     * Add a scenario to those that are on. Its times count from now; its rules act after those of
     * the others.
     */
    add(id: string, fields?: ScenarioFields, options?: CallOptions): Promise<ScenarioList>
    /** Take scenarios off. All of them, or those of a name. Those that stay go on as they were. */
    clear(id: string, fields?: {
      name?: string | undefined
    }, options?: CallOptions): Promise<ScenarioList>
    /** The scenarios that are on. */
    get(id: string, options?: CallOptions): Promise<ScenarioList>
    /**
     * Put a scenario on, instead of all others. Its times count from now. One that cannot be read
     * changes nothing.
     */
    set(id: string, fields?: ScenarioFields, options?: CallOptions): Promise<ScenarioList>
  }
  scenarios: {
    /**
     * The scenarios of the library. Any of them can be put on by its name, and what it says be sent
     * in full.
     */
    library(options?: CallOptions): Promise<{
      name: string
      /** what happens, in short */
      title: string
      /** what a client must cope with */
      guidance?: string | undefined
      /** as it is written: `{title, rules, …}` */
      source: unknown
    }[]>
  }
  snapshot: {
    /**
     * A sandbox's state, to be saved as a file. Keys, levels, invites, usage, alerts, clock,
     * playhead, bookmarks and answers to open questions. Secret keys are inside by nature: keep the
     * file as you keep them. Connections and the entries of the journal are not. It has at most
     * 3500000 bytes.
     */
    get(id: string, options?: CallOptions): Promise<Snapshot>
    /**
     * Restore a sandbox from a snapshot. From then on it answers as the sandbox did that the
     * snapshot was taken of, and `reset` brings it back to this. Connections are closed. A held
     * clock keeps its time; a running one has run on with the machine. The snapshot must be of the
     * same world.
     */
    put(id: string, fields?: Snapshot, options?: CallOptions): Promise<SandboxRecord>
  }
  story: {
    /**
     * The stories that the console can play. Read anew from their files each time, with what is
     * wrong in those that cannot be read.
     */
    list(options?: CallOptions): Promise<{
      stories: StoryRecord[]
      /** file, line and field */
      flaws: string[]
    }>
  }
  usage: {
    /**
     * Set what a key has used this month. Either how much is used, or how much is left of its
     * quota.
     */
    set(id: string, key: string, fields?: {
      /** requests so far */
      used?: number | undefined
      /** still left */
      remaining?: number | undefined
    }, options?: CallOptions): Promise<KeyRecord>
  }
}
