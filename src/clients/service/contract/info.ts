/** The types of `perpdex.info`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { NoInput } from '../requests/request.ts'
import type {
  ActiveAsset,
  BookLevel,
  Candle,
  FrontendOrder,
  FundingPayment,
  FundingRate,
  HistoricalOrder,
  LedgerUpdate,
  Meta,
  NativeState,
  OpenOrder,
  OrderStatus,
  PerpContext,
  PerpDex,
  PredictedFunding,
  SpotMeta,
  SpotMetaAndContexts,
  SpotState,
  Trade,
  UserFees,
  UserFill,
  VenuePortfolio,
  WebData2,
} from './records.ts'

/** What each `type` takes besides and what it answers. */
export interface InfoTypes {
  /** Universe of perpetuals. */
  meta: {
    request: {
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: Meta | null
  }
  /** Universe of spot pairs and tokens. */
  spotMeta: {
    request: NoInput
    answer: SpotMeta
  }
  /** State of a perpetual account. */
  clearinghouseState: {
    request: {
      /** account address */
      user: string
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: NativeState
  }
  /** Balances of a spot account. */
  spotClearinghouseState: {
    request: {
      /** account address */
      user: string
      /** of no effect: there is one spot account */
      dex?: string | undefined
    }
    answer: SpotState
  }
  /** Open orders of an account. */
  openOrders: {
    request: {
      /** account address */
      user: string
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: OpenOrder[]
  }
  /** Open orders of an account with all their terms. */
  frontendOpenOrders: {
    request: {
      /** account address */
      user: string
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: FrontendOrder[]
  }
  /** Fees of an account. */
  userFees: {
    request: {
      /** account address */
      user: string
    }
    answer: UserFees
  }
  /** Latest fills of an account, newest first, at most 2000. */
  userFills: {
    request: {
      /** account address */
      user: string
      aggregateByTime?: boolean | null | undefined
    }
    answer: UserFill[]
  }
  /** Fills of an account in a span of time: 2000 at most, of its latest 10,000. */
  userFillsByTime: {
    request: {
      /** account address */
      user: string
      /** from */
      startTime: number
      endTime?: number | null | undefined
      aggregateByTime?: boolean | null | undefined
      reversed?: boolean | null | undefined
    }
    answer: UserFill[]
  }
  /** Candles, oldest first: the 5000 most recent of the span. */
  candleSnapshot: {
    request: {
      req: {
        /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
        coin: string
        /** length of a candle */
        interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h' | '12h' | '1d'
          | '3d' | '1w' | '1M'
        /** from; the candle that contains it is the first */
        startTime: number
        endTime?: number | null | undefined
      }
    }
    answer: Candle[] | null
  }
  /** Perpetual dexes; the first one, null, is the main dex. */
  perpDexs: {
    request: NoInput
    answer: (PerpDex | null)[]
  }
  /** Changes of status of an account’s orders, newest first. */
  historicalOrders: {
    request: {
      /** account address */
      user: string
    }
    answer: HistoricalOrder[]
  }
  /** An order of an account by its id. */
  orderStatus: {
    request: {
      /** account address */
      user: string
      oid: number | string
    }
    answer: OrderStatus
  }
  /** Funding that an account paid and received, oldest first, at most 500. */
  userFunding: {
    request: {
      /** account address */
      user: string
      startTime?: number | null | undefined
      endTime?: number | null | undefined
    }
    answer: FundingPayment[]
  }
  /** Money that came and went other than by trade or funding, oldest first, at most 2000. */
  userNonFundingLedgerUpdates: {
    request: {
      /** account address */
      user: string
      startTime?: number | null | undefined
      endTime?: number | null | undefined
    }
    answer: LedgerUpdate[]
  }
  /** Value, PnL and volume of an account over time. */
  portfolio: {
    request: {
      /** account address */
      user: string
    }
    answer: VenuePortfolio
  }
  /** Everything that the venue's own page shows of an account and the markets. */
  webData2: {
    request: {
      /** account address */
      user: string
    }
    answer: WebData2
  }
  /** Fills of an account’s TWAPs, newest first. */
  userTwapSliceFills: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      fill: UserFill
      twapId: number
    }[]
  }
  /** What an account may trade of a perpetual. */
  activeAssetData: {
    request: {
      /** account address */
      user: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    answer: ActiveAsset | null
  }
  /** Mid prices. */
  allMids: {
    request: {
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: Record<string, string>
  }
  /** Order book. */
  l2Book: {
    request: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      nSigFigs?: number | null | undefined
      mantissa?: 1 | 2 | 5 | null | undefined
    }
    answer: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** source time of the book, ms */
      time: number
      /** [bids, asks] */
      levels: [BookLevel[], BookLevel[]]
      /** best ask less best bid; only with nSigFigs */
      spread?: string | undefined
    } | null
  }
  /** Universe of perpetuals and their markets. Answered by the venue itself only. */
  metaAndAssetCtxs: {
    request: {
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: [Meta, PerpContext[]] | null
  }
  /** Spot pairs and tokens, and their markets. Answered by the venue itself only. */
  spotMetaAndAssetCtxs: {
    request: NoInput
    answer: SpotMetaAndContexts
  }
  /** Funding rates of a coin, oldest first, at most 500. Answered by the venue itself only. */
  fundingHistory: {
    request: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** from */
      startTime: number
      endTime?: number | null | undefined
    }
    answer: FundingRate[] | null
  }
  /**
   * Funding rates that will be charged next, here and elsewhere. Answered by the venue itself only.
   */
  predictedFundings: {
    request: NoInput
    answer: PredictedFunding[]
  }
  /** Latest trades of a coin, newest first. Answered by the venue itself only. */
  recentTrades: {
    request: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    answer: Trade[] | null
  }
  /** How many orders an account may send. Answered by the venue itself only. */
  userRateLimit: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** volume so far, USD */
      cumVlm: string
      nRequestsUsed: number
      nRequestsCap: number
      nRequestsSurplus: number
    }
  }
  /** What an address is to the venue. Answered by the venue itself only. */
  userRole: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** missing when nothing is known of it */
      role: 'missing' | 'user'
    }
  }
  /** State of the venue. Answered by the venue itself only. */
  exchangeStatus: {
    request: NoInput
    answer: {
      /** the present */
      time: number
      specialStatuses: null
    }
  }
  /** Sub-accounts of an account: nobody has any. Answered by the venue itself only. */
  subAccounts: {
    request: {
      /** account address */
      user: string
    }
    answer: null
  }
}

export type InfoTypeName = keyof InfoTypes

/** The body of one type. */
export type InfoRequest<T extends InfoTypeName> = { type: T } & InfoTypes[T]['request']

/** What one type answers. */
export type InfoAnswer<T extends InfoTypeName> = InfoTypes[T]['answer']
