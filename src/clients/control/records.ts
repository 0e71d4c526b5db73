/** Shapes of the control plane. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated

/** A sandbox in the control plane's form. */
export interface SandboxRecord {
  id: string
  clock: {
    /** whether it runs with the machine */
    state: 'running' | 'held'
    /** session time, ms */
    now: number
  }
  playhead: {
    /** tape time, ms */
    at: number
    /** the time that clients see, ms */
    shown: number
    /** 0 is paused, 1 is as recorded, `max` is as fast as subscribers can read */
    speed: number | 'max'
    /** behaviour at the end of the tape: continue the market, hold it, or loop the tape */
    end: 'continue' | 'hold' | 'loop'
    /** number of restarts of the tape */
    lap: number
    /** first instant of the tape, ms */
    start: number
    /** last instant of the tape, ms */
    stop: number
    /** whether it waits for the market after the tape to be grown */
    growing: boolean
    /** which times clients see */
    epoch: 'live' | 'tape'
    /**
     * whether the tape waits for slow subscribers: `paced` waits at more than the recorded speed,
     * `lossless` always waits for the slowest one, `live` never waits. Frames that do not fit into
     * the queue of a slow client are discarded and counted
     */
    delivery: 'paced' | 'lossless' | 'live'
    /** how far it is behind its speed since it was last set, ms of session time */
    lagMs: number
  }
  /** the imitated service */
  profile: 'contract' | 'raw'
  /** tape digest and seed */
  world: string
  /** name of its tape, the `source` of the header */
  tape: string
  questions: Record<string, string>
  /** active scenarios */
  scenarios: string[]
  /** its use of the server, if `usage=true` is requested */
  usage?: {
    memory: {
      /** memory in use, bytes */
      heldBytes: number
      /** memory bound, bytes */
      boundBytes: number
      /** of these, entries of its journal */
      journal: number
      /** of these, frames that wait for clients, and messages of theirs */
      queues: number
      /** of these, delayed pushes and responses */
      faults: number
      /** of these, its scenarios */
      scenarios: number
      /** of these, keys, levels, invites and alerts */
      records: number
      /** of these, snapshots and live journals that are being sent */
      calls: number
    }
    processor: {
      /** processor time that its work has used, ms */
      usedMs: number
      /** waiting time of its work, ms */
      waitedMs: number
      /** share of the thread in the last seconds */
      recentShare: number
      /** whether it exceeds its share, so that others go first */
      isOverBudget: boolean
    }
  } | undefined
  counts: {
    connections: number
    subscriptions: number
    /** frames in the longest queue */
    queued: number
    /** frames that slow clients have lost */
    discarded: number
  }
}

/** Options of a new sandbox. */
export interface SandboxFields {
  /** id of the sandbox; a free one by default */
  name?: string | undefined
  /** name of a tape in recordings/ */
  tape?: string | undefined
  seed?: number | undefined
  /** recording to replay: a name in recordings/, or the recording of the server */
  replay?: string | undefined
  /** what answers requests that the recording does not have */
  miss?: 'world' | 'refuse' | 'upstream' | undefined
  /** tape time in ms; below 10^10 an offset from the start of the tape */
  at?: number | undefined
  /** 0 is paused, 1 is as recorded, `max` is as fast as subscribers can read */
  speed?: number | 'max' | undefined
  /** behaviour at the end of the tape: continue the market, hold it, or loop the tape */
  end?: 'continue' | 'hold' | 'loop' | undefined
  /** which times clients see */
  epoch?: 'live' | 'tape' | undefined
  /**
   * whether the tape waits for slow subscribers: `paced` waits at more than the recorded speed,
   * `lossless` always waits for the slowest one, `live` never waits. Frames that do not fit into
   * the queue of a slow client are discarded and counted
   */
  delivery?: 'paced' | 'lossless' | 'live' | undefined
  /** kind of market after the tape; a usual market by default */
  mood?: 'calm' | 'bull' | 'bear' | 'crash' | 'chop' | undefined
  /** whether it runs with the machine */
  clock?: 'running' | 'held' | undefined
  /** first session time, ms */
  now?: number | undefined
  /** the clock that a Timestamp refers to */
  signatureTime?: 'machine' | 'session' | undefined
  /** raw: the perpetual venue itself, unsigned, at /info and /ws */
  profile?: 'contract' | 'raw' | undefined
  /** whether limits and quotas are enforced */
  metering?: 'on' | 'off' | undefined
  journal?: {
    /** whether entries are recorded */
    on?: boolean | undefined
    /** maximum size, bytes */
    bytes?: number | undefined
  } | undefined
  /** drop the sandbox after this time without a request or a connection, s of the machine */
  idleS?: number | undefined
  questions?: Record<string, string> | undefined
  /**
   * refuses what the contract does not literally allow: unknown, repeated and misspelled
   * parameters, a signature in the body, a reused nonce, another content type
   */
  strict?: boolean | undefined
  /** magic values; on by default */
  magic?: 'on' | 'off' | undefined
  /** scenario that is on from the start */
  scenario?: string | ScenarioFields | undefined
  /** a snapshot, unchanged */
  snapshot?: Snapshot | undefined
}

/** A new sandbox: its address and keys. */
export interface CreatedSandbox {
  id: string
  baseUrl: string
  wsBaseUrl: string
  keys: {
    full: AccessKey
    partner: AccessKey
    sub: AccessKey
    bare: AccessKey
  }
  inviteToken: string
}

/** The event to which the playhead has moved. */
export interface EventReached {
  /** the event */
  event: Record<string, string | number>
  sandbox: SandboxRecord
}

/** Accounts, coins and ids that can be queried at a moment. */
export interface Cast {
  /** coins of the perpetual venue */
  coins: string[]
  /** keys of the depth endpoints */
  symbols: string[]
  /** coins by key */
  coinKeys: string[]
  /** indexes by key */
  indexKeys: string[]
  /** stocks */
  stockTickers: string[]
  /** indicators */
  indicatorKeys: string[]
  /** news so far, newest first */
  newsIds: number[]
  /** the most active of each role; null while the role has not traded */
  addresses: {
    whale: string | null
    maker: string | null
    scalper: string | null
    twap: string | null
    liquidated: string | null
    builderUser: string | null
    quiet: string | null
  }
  /** in every world; null where the tape has no perpetual of the main dex */
  personas: {
    star: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    whale: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    marketMaker: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    overLeveraged: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    twapWorker: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    liquidatedLastNight: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    beginner: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    empty: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    busiest: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    unified: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    depositor: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    borrower: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
    subAccount: {
      /** the same in every world */
      address: string
      /** description in one sentence */
      about: string
    } | null
  }
  /** orders, newest first */
  oids: {
    /** on the book */
    open: number[]
    /** filled */
    filled: number[]
    /** cancelled */
    cancelled: number[]
  }
  /** TWAP orders, newest first */
  twapIds: number[]
  /** accounts of builders */
  builders: string[]
  openPositions: {
    address: string
    coin: string
  }[]
  completedPositions: {
    address: string
    coin: string
    /** shown time, ms */
    openTime: number
    /** shown time, ms */
    closeTime: number
  }[]
  /** values that cause a fault when they are requested; absent if magic values are off */
  magic?: {
    coins: Record<string, string>
    addresses: Record<string, string>
  } | undefined
}

/** A page of a long list. */
export interface PageFields {
  /** maximum number of entries; 1000 by default, at most 1000 */
  limit?: number | undefined
  /** where the previous page ended; its `Link` header has the address of the next page */
  cursor?: string | undefined
}

/** A key with its secret. */
export interface AccessKey {
  accessKey: string
  secretKey: string
}

/** Limits of a key; null is no limit, or its level's. */
export interface KeyLimits {
  ratePerMinute?: number | null | undefined
  monthlyQuota?: number | null | undefined
  maxTimeRangeS?: number | null | undefined
  maxConnections?: number | null | undefined
  maxSubscriptions?: number | null | undefined
}

/** A key without its secret, with its usage. */
export interface KeyRecord {
  accessKey: string
  /** kind of the key */
  kind: 'full' | 'partner' | 'sub' | 'direct'
  name: string
  distributor: string | null
  level: string | null
  permissions: string[] | null
  /** whether the key is accepted */
  status: 'active' | 'disabled'
  limits: KeyLimits
  usage: {
    minute: number
    month: number
  }
  /** session time, ms */
  createdMs: number
}

/** An invite token and what it presets. */
export interface InviteRecord {
  inviteToken: string
  name: string
  level: string
  maxSubKeys: number
  maxTotalQuota: number
  maxConnections: number | null
  maxSubscriptions: number | null
  usedBy: string | null
}

/** Why a request was answered as it was. */
export interface Reason {
  /** the check that decided: signature, permission, parameters, rule, … */
  check: string
  /** what it found */
  detail: string
  /** what to do about it */
  mend: string | null
  /** what it rests on; null where the contract is silent */
  contract: {
    /** section of the contract */
    place: string
    /** what it says there */
    sentence: string
  } | null
  /** the open question that it rests on; null for none */
  question: {
    /** id of the open question */
    id: string
    /** the question */
    question: string
    /** the answer in force */
    answer: string
    /** what that means */
    means: string
  } | null
}

/** A request and its response, in the journal. */
export interface RequestEntry {
  kind: 'request'
  /** number of the entry */
  seq: number
  /** access key as it was sent, even if it was refused; null without one */
  key: string | null
  /** console for the console's own requests and sockets; null for all else */
  via: 'console' | null
  /** rule of a scenario that acted; for the market, the scenario of the event */
  rule: string | null
  /** its size in the journal */
  bytes: number
  /** session time, ms */
  sessionMs: number
  /** tape time, ms */
  tapeMs: number
  /** id; null when the path has none */
  operation: string | null
  /** HTTP method */
  method: string
  /** as sent */
  path: string
  /** as it was sent, without its signature */
  query: string
  /** as it was sent, without its signature, the first 2,000 characters */
  body: string
  /** HTTP status */
  status: number
  /**
   * what it has beyond what the contract shows, each with its open question: `unknown-parameters:
   * page`; a strict sandbox refuses it. `value-cut: limit` is a value above its maximum, which the
   * contract cuts silently
   */
  lenient: string[]
  /** the refusal */
  refused: string | null
  /** its subject, or the effect of a rule */
  subject: string | null
  /** why, as it was known then; null if it was simply answered */
  reason: Reason | null
  /**
   * the first 16,000 characters: of refusals always, of others while a stream asks for answers;
   * null when it was not kept
   */
  answer: string | null
  /** characters of the whole answer */
  answerLength: number
  /** processing time of the machine, ms */
  durationMs: number
}

/** A frame on a socket. */
export interface FrameEntry {
  kind: 'frame'
  /** number of the entry */
  seq: number
  /** access key as it was sent, even if it was refused; null without one */
  key: string | null
  /** console for the console's own requests and sockets; null for all else */
  via: 'console' | null
  /** rule of a scenario that acted; for the market, the scenario of the event */
  rule: string | null
  /** its size in the journal */
  bytes: number
  /** session time, ms */
  sessionMs: number
  /** tape time, ms */
  tapeMs: number
  /** from the client, or to it */
  direction: 'in' | 'out'
  /** number of the connection */
  connection: number
  /** of the connection */
  path: string
  /** the first 2,000 characters */
  text: string
}

/** A socket was opened, refused or closed, or a scenario acted on it. */
export interface SocketEntry {
  kind: 'socket'
  /** number of the entry */
  seq: number
  /** access key as it was sent, even if it was refused; null without one */
  key: string | null
  /** console for the console's own requests and sockets; null for all else */
  via: 'console' | null
  /** rule of a scenario that acted; for the market, the scenario of the event */
  rule: string | null
  /** its size in the journal */
  bytes: number
  /** session time, ms */
  sessionMs: number
  /** tape time, ms */
  tapeMs: number
  /** what happened to it */
  event: 'opened' | 'refused' | 'closed' | 'fault'
  /** number of the connection; null for a refused one */
  connection: number | null
  /** as sent */
  path: string
  /** HTTP status of a refusal, or close code */
  status: number | null
  /** the refusal */
  refused: string | null
  /** its subject, or the effect of a rule */
  subject: string | null
  /** why, as it was known then; null if it was simply answered */
  reason: Reason | null
}

/** The playhead fell behind, caught up, or was moved. */
export interface PlayheadEntry {
  kind: 'playhead'
  /** number of the entry */
  seq: number
  /** access key as it was sent, even if it was refused; null without one */
  key: string | null
  /** console for the console's own requests and sockets; null for all else */
  via: 'console' | null
  /** rule of a scenario that acted; for the market, the scenario of the event */
  rule: string | null
  /** its size in the journal */
  bytes: number
  /** session time, ms */
  sessionMs: number
  /** tape time, ms */
  tapeMs: number
  /** falls behind its speed, has caught up, starts another lap, was set elsewhere */
  event: 'behind' | 'followed' | 'lap' | 'seek'
  /** lag, session time, ms */
  lagMs: number
}

/** A market event was scheduled, began or ended. */
export interface MarketEntry {
  kind: 'market'
  /** number of the entry */
  seq: number
  /** access key as it was sent, even if it was refused; null without one */
  key: string | null
  /** console for the console's own requests and sockets; null for all else */
  via: 'console' | null
  /** rule of a scenario that acted; for the market, the scenario of the event */
  rule: string | null
  /** its size in the journal */
  bytes: number
  /** session time, ms */
  sessionMs: number
  /** tape time, ms */
  tapeMs: number
  /** requested, begun or ended */
  event: 'asked' | 'begun' | 'ended'
  /** number of the market event */
  id: number
  /** what it is, such as "move of BTC" */
  subject: string
}

/** An entry of the journal, by its kind. */
export type JournalEntry = RequestEntry | FrameEntry | SocketEntry | PlayheadEntry | MarketEntry

/** Filter of journal entries. */
export interface JournalFilter {
  /** sort of entry */
  kind?: 'request' | 'frame' | 'socket' | 'playhead' | 'market' | undefined
  /** id, such as coin.ticker */
  operation?: string | undefined
  /** end of the path, such as /hl/tickers */
  path?: string | undefined
  /** channel or type of a frame */
  channel?: string | undefined
  /** HTTP status or close code */
  status?: number | undefined
  /** access key */
  key?: string | undefined
  /** refusal, rule of a scenario, or scenario of a market event */
  rule?: string | undefined
  /** of frames */
  direction?: 'in' | 'out' | undefined
  /** number of a connection */
  connection?: number | undefined
  /**
   * also entries of the console's own requests and sockets; its frames are recorded while a stream
   * asks for them
   */
  console?: boolean | undefined
  /** for a stream: record and send all responses, not only those of refusals */
  answers?: boolean | undefined
  /** entries after this number */
  since?: number | undefined
}

/** A market event and its result. */
export interface MarketEventRecord {
  /** number of the event within the sandbox */
  id: number
  /** as requested, with the name of its coin */
  event: {
    /** kind of the event */
    kind: 'move' | 'liquidations' | 'whale' | 'volatility' | 'volume' | 'spread' | 'depth'
      | 'funding' | 'halt' | 'listing' | 'news'
    [field: string]: unknown
  }
  scenario: string | null
  /** time of the request, tape time, ms */
  asked: number
  /** begin, tape time, ms */
  from: number
  /** end, tape time, ms */
  to: number
  /** the same three in shown time, ms: as clients see the market */
  shown: {
    asked: number
    from: number
    to: number
  }
  /** state of the event */
  state: 'planned' | 'acting' | 'done'
  /** for each affected coin, from the begin of the event until now or its end */
  outcome: {
    coin: string
    pxBefore: string | null
    pxAfter: string | null
    /** turnover, dollars */
    tradedUsd: string
    /** part of the turnover that takers bought, dollars */
    boughtUsd: string
    liquidatedUsd: {
      /** longs that were liquidated, dollars */
      long: string
      /** shorts that were liquidated, dollars */
      short: string
    }
  }[]
}

/** A scenario of the library by name, or a scenario in full. */
export interface ScenarioFields {
  /** a name in the library, or the name of your own scenario */
  name?: string | undefined
  /** short description of your own scenario */
  title?: string | undefined
  [field: string]: unknown
}

/** The active scenarios. */
export interface ScenarioList {
  /** active scenarios, in the order in which they act */
  scenarios: {
    name: string
    title: string
    /** what a client must cope with */
    guidance?: string | undefined
    /** session time when it was switched on, ms */
    since: number
    /** names of its rules in the journal */
    rules: string[]
  }[]
}

/** A story that the console can play. */
export interface StoryRecord {
  /** name of its file */
  name: string
  title: {
    en: string
    zh: string
  }
  about: {
    en: string
    zh: string
  } | null
  /** coin whose market is shown */
  coin: string
  steps: {
    caption: {
      en: string
      zh: string
    }
    /** the view to show */
    show: 'chart' | 'book' | 'trades' | 'liquidations' | 'whales' | 'all'
    coin: 'newcomer' | null
    do: {
      /** a market event */
      market?: unknown | undefined
      /** scenario to switch on */
      scenario?: string | undefined
      /** remove all scenarios */
      calm?: true | undefined
      /** speed of the market */
      speed?: number | undefined
    }[]
    until: {
      /** of the last market event, or of the market */
      figure: 'changePct' | 'tradedUsd' | 'boughtUsd' | 'liquidatedUsd' | 'spreadBp' | 'bookAgeS'
        | 'tradeAgeS' | 'historyDays'
      of: 'newcomer' | null
      above: number | null
      below: number | null
      /** how long that may take */
      withinMs: number
    } | null
    waitMs: number | null
  }[]
}

/** A run of the conformance suite. */
export interface ConformanceRunRecord {
  /** state of the latest run */
  state: 'none' | 'running' | 'over'
  /** the checked service */
  target: string
  /** cases */
  total: number
  counts: {
    passed: number
    failed: number
    skipped: number
  }
  /** since its start, ms of the machine */
  elapsedMs: number
  remainingMs: number | null
  ended: string | null
  notes: string[]
  requirements: {
    seen: number
    total: number
  } | null
  schemas: {
    seen: number
    total: number
  } | null
  failures: {
    id: string
    title: string
    message: string
  }[]
  failure: {
    id: string
    title: string
    expected: {
      id: string
      text: string
    }[]
    found: string
    /** what differs; empty where `found` says it all */
    evidence: string
    conversation: {
      /** the requests and responses */
      text: string
      /** a command that repeats it */
      again: string
    }[]
    /** a command that runs this case alone */
    again: string
  } | null
}

/** What a client believes, by its kind. */
export interface ClaimFields {
  /** kind of the claim */
  kind: 'book' | 'position' | 'fills' | 'stale' | 'subscribed' | 'candle'
  /** coin */
  coin?: string | undefined
  /** `time` of the push or answer that it is from, ms */
  time?: number | undefined
  /** instant of the claim by what the service has said last, such as its `Date`; now if absent */
  asOf?: number | undefined
  /** best first; as many as you hold, at most 20 are compared */
  bids?: {
    /** price */
    px: string
    /** size */
    sz: string
    n?: number | undefined
  }[] | undefined
  /** best first */
  asks?: {
    /** price */
    px: string
    /** size */
    sz: string
    n?: number | undefined
  }[] | undefined
  /** account */
  address?: string | undefined
  /** signed size; 0 without a position */
  szi?: string | undefined
  /** first instant, ms */
  from?: number | undefined
  /** last instant, ms; now by default */
  to?: number | undefined
  /** `tid` of each fill */
  tids?: number[] | undefined
  /** channel of `/ws` */
  channel?: string | undefined
  /** false: I would trade on it */
  stale?: boolean | undefined
  /** each with its channel and what it is about */
  subscriptions?: {
    /** channel */
    channel: string
    /** coin */
    coin?: string | undefined
    /** interval of candles */
    interval?: string | undefined
    /** account */
    user?: string | undefined
  }[] | undefined
  /** interval, such as 1m */
  interval?: string | undefined
  /** opening time, ms */
  t?: number | undefined
  /** open */
  o?: string | undefined
  /** high */
  h?: string | undefined
  /** low */
  l?: string | undefined
  /** close */
  c?: string | undefined
  /** volume in the coin */
  v?: string | undefined
}

/** A claim with its verdict. */
export interface JudgedClaim {
  /** its number */
  claim: number
  /** kind of the claim */
  kind: 'book' | 'position' | 'fills' | 'stale' | 'subscribed' | 'candle'
  /** open: nothing can be held against the client, for example because a rule changes its data */
  verdict: 'true' | 'wrong' | 'open'
  /** the reason of the verdict */
  why: string
  /** what is true, in the form of the claim; null where there is nothing like it */
  truth: unknown
  /** since when it is wrong, shown time in ms; null where that is not known */
  sinceMs: number | null
  /** session time of the claim, ms */
  sessionMs: number
}

/** An open connection and its subscriptions. */
export interface ConnectionRecord {
  /** its number in the journal */
  connection: number
  path: string
  key: string | null
  /** console for the console's own; null for those of clients */
  via: 'console' | null
  /** session time, ms */
  openedMs: number
  /** of its client, session time, ms */
  lastMessageMs: number
  /** when it is closed without another message, ms */
  closesMs: number
  /** frames that wait for its client */
  queued: number
  /** frames */
  sent: number
  /** frames that were dropped: too many waited */
  discarded: number
  /** sent and not taken by its client yet */
  pendingBytes: number
  streams: {
    channel: string
    subscription: Record<string, unknown>
    /** since the last frame, session time */
    silentMs: number
    sourceAgeMs: number | null
    /** whether the data is stale, or a rule marks it so */
    stale: boolean
  }[]
}

/** The state of a sandbox, to be kept and restored unchanged. */
export interface Snapshot {
  format?: string | undefined
  version?: number | undefined
  [field: string]: unknown
}
