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
  SubAccount,
  Trade,
  TwapChange,
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
  /** Ledger of an account without trades and funding, oldest first, at most 2000. */
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
  /** Trading limits of an account for a perpetual. */
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
  /** Role of an address at the venue. Answered by the venue itself only. */
  userRole: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** missing for an unknown address */
      role: 'missing' | 'user' | 'subAccount'
      /** of a sub-account */
      data?: {
        /** account address */
        master: string
      } | undefined
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
  /** Sub-accounts of an account; null where it has none. Answered by the venue itself only. */
  subAccounts: {
    request: {
      /** account address */
      user: string
    }
    answer: SubAccount[] | null
  }
  /**
   * Whether spot and perpetuals of an account share one margin. Answered by the venue itself only.
   */
  userAbstraction: {
    request: {
      /** account address */
      user: string
    }
    answer: 'disabled' | 'unifiedAccount'
  }
  /** Tokens that an account has staked. Answered by the venue itself only. */
  delegatorSummary: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** tokens */
      delegated: string
      /** tokens */
      undelegated: string
      /** tokens */
      totalPendingWithdrawal: string
      nPendingWithdrawals: number
    }
  }
  /** Shares of vaults that an account has. Answered by the venue itself only. */
  userVaultEquities: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** account address */
      vaultAddress: string
      /** USD */
      equity: string
      /** time, ms */
      lockedUntilTimestamp: number
    }[]
  }
  /** Changes of status of an account’s TWAPs, newest first. Answered by the venue itself only. */
  twapHistory: {
    request: {
      /** account address */
      user: string
    }
    answer: TwapChange[]
  }
  /**
   * Fills of an account’s TWAPs in a span of time: 2000 at most, of its latest 10,000. Answered by
   * the venue itself only.
   */
  userTwapSliceFillsByTime: {
    request: {
      /** account address */
      user: string
      /** from */
      startTime: number
      endTime?: number | null | undefined
      aggregateByTime?: boolean | null | undefined
    }
    answer: {
      fill: UserFill
      twapId: number
    }[]
  }
  /** Universes of all dexes, the main one first. Answered by the venue itself only. */
  allPerpMetas: {
    request: NoInput
    answer: Meta[]
  }
  /** Auctions of the order in which nodes are served. Answered by the venue itself only. */
  gossipPriorityAuctionStatus: {
    request: NoInput
    answer: [(string | null)[], {
      /** beginning of the auction */
      startTimeSeconds: number
      durationSeconds: number
      /** HYPE */
      startGas: string
      currentGas: string | null
      endGas: string | null
    }[]]
  }
  /** Addresses of nodes. Answered by the venue itself only. */
  gossipRootIps: {
    request: NoInput
    answer: string[]
  }
  /** Positions that wait for their liquidation. Answered by the venue itself only. */
  liquidatable: {
    request: NoInput
    answer: {
      /** account address */
      user: string
    }[]
  }
  /**
   * Margin tiers by the number of a table; null for an unknown one. Answered by the venue itself
   * only.
   */
  marginTable: {
    request: {
      /** marginTableId */
      id: number
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: {
      description: string
      marginTiers: {
        /** USD */
        lowerBound: string
        maxLeverage: number
      }[]
    } | null
  }
  /** Largest market order by the leverage of a perpetual. Answered by the venue itself only. */
  maxMarketOrderNtls: {
    request: NoInput
    answer: ([number, string])[]
  }
  /** Outcomes and questions that are listed. Answered by the venue itself only. */
  outcomeMeta: {
    request: NoInput
    answer: {
      outcomes: unknown[]
      questions: unknown[]
    }
  }
  /** Templates of outcomes. Answered by the venue itself only. */
  outcomeTemplates: {
    request: NoInput
    answer: unknown[]
  }
  /** Description of a perpetual by its builder. Answered by the venue itself only. */
  perpAnnotation: {
    request: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    answer: {
      category: string
      description: string
    } | null
  }
  /** Categories of perpetuals by coin. Answered by the venue itself only. */
  perpCategories: {
    request: NoInput
    answer: ([string, string])[]
  }
  /** Short descriptions of perpetuals by coin. Answered by the venue itself only. */
  perpConciseAnnotations: {
    request: NoInput
    answer: ([string, {
      category: string
    }])[]
  }
  /** Auction of the next perpetual. Answered by the venue itself only. */
  perpDeployAuctionStatus: {
    request: NoInput
    answer: {
      /** beginning of the auction */
      startTimeSeconds: number
      durationSeconds: number
      /** HYPE */
      startGas: string
      currentGas: string | null
      endGas: string | null
    }
  }
  /**
   * Caps of a builder's dex; null for the main one and an unknown one. Answered by the venue itself
   * only.
   */
  perpDexLimits: {
    request: {
      /** name of a dex */
      dex: string
    }
    answer: {
      /** USD */
      totalOiCap: string
      /** size */
      oiSzCapPerPerp: string
      /** USD */
      maxTransferNtl: string
      coinToOiCap: ([string, string])[]
    } | null
  }
  /**
   * Net deposits of a dex: what came into its accounts less what left them. Answered by the venue
   * itself only.
   */
  perpDexStatus: {
    request: {
      /** empty for the main dex */
      dex: string
    }
    answer: {
      /** USD */
      totalNetDeposit: string
    }
  }
  /** Perpetuals at the cap of their open interest. Answered by the venue itself only. */
  perpsAtOpenInterestCap: {
    request: {
      /** empty for the main dex */
      dex?: string | undefined
    }
    answer: string[]
  }
  /**
   * An outcome that has been settled; null for an unknown one. Answered by the venue itself only.
   */
  settledOutcome: {
    request: {
      outcome: number
    }
    answer: null
  }
  /**
   * Tokens that an account deploys, and the auction of the next one. Answered by the venue itself
   * only.
   */
  spotDeployState: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      states: unknown[]
      gasAuction: {
        /** beginning of the auction */
        startTimeSeconds: number
        durationSeconds: number
        /** HYPE */
        startGas: string
        currentGas: string | null
        endGas: string | null
      }
    }
  }
  /** Auction of the next spot pair. Answered by the venue itself only. */
  spotPairDeployAuctionStatus: {
    request: NoInput
    answer: {
      /** beginning of the auction */
      startTimeSeconds: number
      durationSeconds: number
      /** HYPE */
      startGas: string
      currentGas: string | null
      endGas: string | null
    }
  }
  /** A token by its id; null for an unknown one. Answered by the venue itself only. */
  tokenDetails: {
    request: {
      /** tokenId of spotMeta */
      tokenId: string
    }
    answer: {
      name: string
      /** tokens */
      maxSupply: string
      /** tokens */
      totalSupply: string
      /** tokens */
      circulatingSupply: string
      szDecimals: number
      weiDecimals: number
      /** middle price */
      midPx: string
      /** mark price */
      markPx: string
      /** last price a day ago */
      prevDayPx: string
      genesis: null
      deployer: null
      deployGas: null
      deployTime: null
      /** USD */
      seededUsdc: string
      nonCirculatingUserBalances: unknown[]
      /** tokens */
      futureEmissions: string
    } | null
  }
  /** Ways of deposits and withdrawals. Answered by the venue itself only. */
  usdcRouting: {
    request: NoInput
    answer: {
      /** way of deposits */
      depositRoute: 'bridge' | 'cctp'
      /** way of withdrawals */
      withdrawalRoute: 'bridge' | 'cctp'
    }
  }
  /** Reserves by the numbers of their tokens. Answered by the venue itself only. */
  allBorrowLendReserveStates: {
    request: NoInput
    answer: ([number, {
      /** rate */
      borrowYearlyRate: string
      /** rate */
      supplyYearlyRate: string
      /** tokens */
      balance: string
      /** share */
      utilization: string
      /** price */
      oraclePx: string
      /** loan to value */
      ltv: string
      /** tokens */
      totalSupplied: string
      /** tokens */
      totalBorrowed: string
    }])[]
  }
  /** Builders whose fees an account has approved. Answered by the venue itself only. */
  approvedBuilders: {
    request: {
      /** account address */
      user: string
    }
    answer: string[]
  }
  /** Reserve of a token. Answered by the venue itself only. */
  borrowLendReserveState: {
    request: {
      /** number of the token */
      token: number
    }
    answer: {
      /** rate */
      borrowYearlyRate: string
      /** rate */
      supplyYearlyRate: string
      /** tokens */
      balance: string
      /** share */
      utilization: string
      /** price */
      oraclePx: string
      /** loan to value */
      ltv: string
      /** tokens */
      totalSupplied: string
      /** tokens */
      totalBorrowed: string
    }
  }
  /** What an account has lent and borrowed. Answered by the venue itself only. */
  borrowLendUserState: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      tokenToState: ([number, unknown])[]
      /** health */
      health: 'healthy' | 'atRisk' | 'marketLiquidatable' | 'backstopLiquidatable'
      healthFactor: string | null
    }
  }
  /** Agents that may sign for an account. Answered by the venue itself only. */
  extraAgents: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** account address */
      address: string
      name: string
      validUntil: number | null
    }[]
  }
  /** Whether an account is a VIP; null for an unknown one. Answered by the venue itself only. */
  isVip: {
    request: {
      /** account address */
      user: string
    }
    answer: boolean | null
  }
  /** Whether an account may trade. Answered by the venue itself only. */
  legalCheck: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      acceptedTerms: boolean
      userAllowed: boolean
      /** n for none */
      restrictions: 'n' | 'a' | 'o' | 'u'
    }
  }
  /**
   * Highest fee of a builder that an account has approved, tenths of a basis point. Answered by the
   * venue itself only.
   */
  maxBuilderFee: {
    request: {
      /** account address */
      user: string
      /** account address */
      builder: string
    }
    answer: number
  }
  /** What a transfer to an account would cost. Answered by the venue itself only. */
  preTransferCheck: {
    request: {
      /** account address */
      user: string
      /** account address */
      source: string
    }
    answer: {
      /** USD */
      fee: string
      isSanctioned: boolean
      userExists: boolean
      userHasSentTx: boolean
    }
  }
  /** Who referred an account, and its rewards. Answered by the venue itself only. */
  referral: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      referredBy: null
      /** volume so far, USD */
      cumVlm: string
      /** USD */
      unclaimedRewards: string
      /** USD */
      claimedRewards: string
      /** USD */
      builderRewards: string
      referrerState: {
        stage: 'needToCreateCode'
      } | {
        stage: 'needToTrade'
        data: {
          /** volume that is needed, USD */
          required: string
        }
      }
      rewardHistory: unknown[]
      tokenToState: unknown[]
    }
  }
  /**
   * Sub-accounts of an account on every dex; null where it has none. Answered by the venue itself
   * only.
   */
  subAccounts2: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      name: string
      /** account address */
      subAccountUser: string
      /** account address */
      master: string
      dexToClearinghouseState: ([string, NativeState])[]
      spotState: SpotState
    }[] | null
  }
  /** Interest that an account paid and received. Answered by the venue itself only. */
  userBorrowLendInterest: {
    request: {
      /** account address */
      user: string
      /** from */
      startTime: number
      endTime?: number | null | undefined
    }
    answer: {
      /** time, ms */
      time: number
      token: string
      /** paid */
      borrow: string
      /** received */
      supply: string
    }[]
  }
  /**
   * Whether an account is one for all dexes; null while it has not been set. Answered by the venue
   * itself only.
   */
  userDexAbstraction: {
    request: {
      /** account address */
      user: string
    }
    answer: boolean | null
  }
  /**
   * Signers of an account; null for one with a single signer. Answered by the venue itself only.
   */
  userToMultiSigSigners: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      authorizedUsers: string[]
      threshold: number
    } | null
  }
  /** Stake of an account, all of it with one validator. Answered by the venue itself only. */
  delegations: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** account address */
      validator: string
      /** tokens */
      amount: string
      /** when it can be taken back */
      lockedUntilTimestamp: number
    }[]
  }
  /** Changes of the stake of an account. Answered by the venue itself only. */
  delegatorHistory: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** time, ms */
      time: number
      hash: string
      delta: unknown
    }[]
  }
  /** Rewards of the stake of an account. Answered by the venue itself only. */
  delegatorRewards: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** time, ms */
      time: number
      source: string
      /** tokens */
      totalAmount: string
    }[]
  }
  /** Vaults that an account leads. Answered by the venue itself only. */
  leadingVaults: {
    request: {
      /** account address */
      user: string
    }
    answer: {
      /** account address */
      address: string
      name: string
    }[]
  }
  /** Votes of the validators. Answered by the venue itself only. */
  validatorL1Votes: {
    request: NoInput
    answer: {
      /** time, ms */
      expireTime: number
      votes: string[]
    }[]
  }
  /**
   * Validators of the chain: one, with the stake of all accounts. Answered by the venue itself
   * only.
   */
  validatorSummaries: {
    request: NoInput
    answer: {
      /** account address */
      validator: string
      /** account address */
      signer: string
      name: string
      description: string
      nRecentBlocks: number
      /** In hundred-millionths of a token */
      stake: number
      isJailed: boolean
      unjailableAfter: number | null
      isActive: boolean
      /** share of the rewards */
      commission: string
      stats: ([string, {
        /** share of the time */
        uptimeFraction: string
        /** share of the stake a year */
        predictedApr: string
        nSamples: number
      }])[]
    }[]
  }
  /**
   * A vault and its followers; null for an address that is no vault. Answered by the venue itself
   * only.
   */
  vaultDetails: {
    request: {
      /** account address */
      vaultAddress: string
      user?: string | null | undefined
    }
    answer: {
      name: string
      /** account address */
      vaultAddress: string
      /** account address */
      leader: string
    } | null
  }
  /** Vaults of the last hours. Answered by the venue itself only. */
  vaultSummaries: {
    request: NoInput
    answer: {
      name: string
      /** account address */
      vaultAddress: string
      /** account address */
      leader: string
    }[]
  }
}

export type InfoTypeName = keyof InfoTypes

/** The body of one type. */
export type InfoRequest<T extends InfoTypeName> = { type: T } & InfoTypes[T]['request']

/** What one type answers. */
export type InfoAnswer<T extends InfoTypeName> = InfoTypes[T]['answer']
