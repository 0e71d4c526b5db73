/** The channels. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type {
  AddressFill,
  BookLevel,
  Candle,
  FilledOrder,
  FrontendOrder,
  LedgerUpdate,
  NativeState,
  PerpState,
  Trade,
  UserFill,
} from './records.ts'

/** Parameters and pushes of each channel. */
export interface ChannelTypes {
  /**
   * States of many perpetual accounts. One dex per connection, chosen by the query parameter `dex`;
   * empty is the main dex.
   */
  addressClearinghouseState: {
    subscription: {
      /** account address */
      address: string
      dex?: string | undefined
    }
    data: {
      /** account address */
      address: string
      state: PerpState
    }
  }
  /** Filled orders of many accounts. */
  addressFilledOrders: {
    subscription: {
      /** account address */
      address: string
    }
    data: FilledOrder
  }
  /** Fills of many accounts. */
  addressFills: {
    subscription: {
      /** account address */
      address: string
    }
    data: AddressFill
  }
  /** Best bid and offer. Pushed when the best bid or the best offer changes. */
  bbo: {
    subscription: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    data: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** time, ms */
      time: number
      /** [bid, ask] */
      bbo: [BookLevel | null, BookLevel | null]
      /** what this is made of has been silent, and has expired */
      stale?: true | undefined
    }
  }
  /**
   * Candles. The running candle, sent again under the same `t` until it closes; at most one push in
   * 0.5 s.
   */
  candle: {
    subscription: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** length of a candle */
      interval: '1s' | '5s' | '15s' | '1m' | '15m' | '1h' | '4h'
    }
    data: Candle & {
      /** volume in the quote unit */
      a: string
      /** trades with a buying taker */
      nb: number
      /** volume bought by takers */
      vb: string
      /** quote volume bought by takers */
      ab: string
      /** what this is made of has been silent, and has expired */
      stale?: true | undefined
    }
  }
  /**
   * State of a perpetual account. The whole state: immediately, after each fill and ledger entry,
   * and when mark prices move.
   */
  clearinghouseState: {
    subscription: {
      /** account address */
      user: string
      /** empty for the main dex */
      dex?: string | undefined
    }
    data: {
      dex: string
      /** account address */
      user: string
      clearinghouseState: NativeState
      /** what this is made of has been silent, and has expired */
      stale?: true | undefined
    }
  }
  /** Order book. The whole book of a coin after each change, at most 20 levels per side. */
  l2Book: {
    subscription: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      nSigFigs?: number | null | undefined
      mantissa?: 1 | 2 | 5 | null | undefined
    }
    data: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** source time of the book, ms */
      time: number
      /** [bids, asks] */
      levels: [BookLevel[], BookLevel[]]
      /** best ask less best bid; only with nSigFigs */
      spread?: string | undefined
      /** what this is made of has been silent, and has expired */
      stale?: true | undefined
    }
  }
  /** Open orders of an account. The whole list: immediately, and after each change. */
  openOrders: {
    subscription: {
      /** account address */
      user: string
      /** empty for the main dex */
      dex?: string | undefined
    }
    data: {
      dex: string
      /** account address */
      user: string
      orders: FrontendOrder[]
      /** what this is made of has been silent, and has expired */
      stale?: true | undefined
    }
  }
  /**
   * Trades. First the latest trades, newest first, then the trades of each instant. Never an empty
   * list.
   */
  trades: {
    subscription: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    data: Trade[]
  }
  /**
   * Fills of an account. First the latest fills with `isSnapshot: true`, newest first; then each
   * fill as it happens.
   */
  userFills: {
    subscription: {
      /** account address */
      user: string
      aggregateByTime?: boolean | undefined
    }
    data: {
      isSnapshot?: true | undefined
      /** account address */
      user: string
      fills: UserFill[]
    }
  }
  /**
   * Ledger of an account. Deposits, withdrawals, transfers and liquidations; first the latest with
   * `isSnapshot: true`.
   */
  userNonFundingLedgerUpdates: {
    subscription: {
      /** account address */
      user: string
    }
    data: {
      isSnapshot?: true | undefined
      /** account address */
      user: string
      nonFundingLedgerUpdates: LedgerUpdate[]
    }
  }
}

export type ChannelName = keyof ChannelTypes

/** Each in a line: its path, its key, whether it is counted and pushes states. */
export const CHANNEL_LINES: { readonly [N in ChannelName]: string } = {
  addressClearinghouseState: '/hl/ws/clearinghouse-state address,dex',
  addressFilledOrders: '/hl/ws/filled-orders address',
  addressFills: '/hl/ws/fills address',
  bbo: '/hl/ws coin counted state',
  candle: '/hl/ws coin,interval counted state',
  clearinghouseState: '/hl/ws user,dex state',
  l2Book: '/hl/ws coin,nSigFigs counted state',
  openOrders: '/hl/ws user,dex state',
  trades: '/hl/ws coin counted',
  userFills: '/hl/ws user',
  userNonFundingLedgerUpdates: '/hl/ws user',
}
