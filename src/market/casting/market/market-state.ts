import {
  add,
  type FundingIndex,
  type Px,
  type Rate,
  rate,
  raw,
  type Sz,
  sz,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { nearestPrices, priceStep } from '../../schema/price-step.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import type { Agent } from '../agents/agent.ts'
import { traitsOf } from '../history/market-traits.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { MarketSurvey } from '../survey/tape-survey.ts'
import type { CrowdRecord } from './crowd-record.ts'
import { type PriceAlarm, PriceAlarms } from './price-alarms.ts'
import { PriceMemory } from './price-memory.ts'
import { Touch } from './touch.ts'

/** One instrument while the world is being cast. */
export class MarketState {
  /** Latest price. */
  px: Px
  /** Sum of the traders' long positions, and of all that they hold, shorts counted negative. */
  longSize: Sz = ZERO
  netSize: Sz = ZERO
  /** What the crowd is long, as was reported last. */
  crowdLong: Sz = ZERO
  /** What they trade before the tape is taken from the crowd's bars. */
  crowd: CrowdRecord | null = null
  /** Funding so far (funding.fundingIndex) and the rate in force. */
  fundingIndex: FundingIndex = ZERO
  rate = rate(125_000)
  premium: Rate = ZERO
  /** The mark price, where margins go by it; elsewhere they go by the latest price. */
  mark: Px | null = null
  /** Latest oracle price. */
  oracle: Px
  /** The tape has marks of its own. */
  hasTapeMarks = false
  /** By trader id. */
  readonly holdings = new Map<number, Holding>()
  /** What waits for a price, and for a mark price. */
  readonly alarms = new PriceAlarms()
  readonly markAlarms = new PriceAlarms()
  readonly memory: PriceMemory
  /** The best prices of its book. */
  readonly touch = new Touch<LiveOrder>()
  /** Makers' orders that are not wholly filled, by price. */
  readonly resting = { B: new Map<Px, LiveOrder>(), A: new Map<Px, LiveOrder>() }
  /** Orders that rest away from the price. */
  passiveOrders: LiveOrder[] = []
  /** Prices at which the nearest passive order is pulled. */
  pullBounds = openGuard()
  /** Micro-dollars of one size unit at price 1. */
  private readonly factor: number
  /** Micro-dollars that one size unit pays when the funding index rises by one. */
  readonly fundingFactor: number
  /** Share of a position's value that the venue wants as equity at least. */
  readonly maintenanceRate: number
  readonly isPerp: boolean
  /** A price near so many price units that the tape could have named. */
  readonly onTick: (units: number) => Px

  constructor(
    readonly row: InstrumentRow,
    readonly survey: MarketSurvey,
  ) {
    this.px = row.firstPx ?? ZERO
    this.oracle = this.px
    this.fundingFactor = row.kind === 'perp' ? 10 ** (6 - row.szDecimals - row.fundingDecimals) : 0
    this.factor = 10 ** (6 - row.pxDecimals - row.szDecimals)
    this.maintenanceRate = 0.5 / row.maxLeverage
    this.isPerp = row.kind === 'perp'
    this.onTick = nearestPrices(row)
    this.memory = new PriceMemory(traitsOf(row).dailyVolatility)
  }

  /**
   * Whether the crowd can buy so much of the traders: between two reports it is long the same, so
   * it closes shorts, which are its longs and all that the traders hold.
   */
  crowdBuys(sz: Sz): boolean {
    return !this.isPerp || sz <= add(this.crowdLong, this.netSize)
  }

  /** Rough value of so many size units in micro-dollars, for decisions only. */
  value(sz: Sz): number {
    return raw(sz) * raw(this.px) * this.factor
  }

  /** The price that margins go by. */
  get marginPx(): Px {
    return this.mark ?? this.px
  }

  /** The same at the price that margins go by. */
  marginValue(sz: Sz): number {
    return raw(sz) * raw(this.marginPx) * this.factor
  }

  /** A size worth about so many micro-dollars, on the lot grid, at least one lot. */
  sizeFor(usd: number): Sz {
    const lot = raw(this.survey.lot)
    return sz(Math.max(1, Math.round(usd / (raw(this.px) * this.factor) / lot)) * lot)
  }

  /** Smallest step between prices near so many price units, in price units. */
  stepAt(units: number): number {
    return priceStep(this.row, units)
  }
}

/** Prices between which no passive order is near, in price units: anywhere. */
export const openGuard = () => ({ low: 0, high: Number.POSITIVE_INFINITY })

/** One account of a trader while the world is cast: main dex, a builder dex, or spot. */
export interface SubAccount {
  id: number
  agent: Agent
  /** '' main, the builder dex's name, or 'spot'. */
  dex: string
  /** In less out, plus realised PnL, less fees; funding left out. */
  cash: Usd
  realised: Usd
  /** Time of its latest row: nothing may be dated before it. */
  lastMs: number
  holdings: Holding[]
  /** The tape will liquidate it: it is not topped up. */
  awaitsLiquidation: boolean
}

/** What a trader holds of one instrument. */
export interface Holding {
  account: SubAccount
  market: MarketState
  sz: Sz
  cost: Usd
  funding: Usd
  fundingAtOpen: Usd
  fundingIndex: FundingIndex
  leverage: number
  isolated: boolean
  position: OpenPosition | null
  /** Rises with every fill, so that what was meant for an earlier position is known as such. */
  changes: number
  /** The alarm that watches its margin. */
  marginAlarm: PriceAlarm | null
  /** Prices at which its owner means to leave, price units; null for none. */
  targetPx: number | null
  stopPx: number | null
  /** A part of it was liquidated, and the rest is next. */
  partlyLiquidated: boolean
  /** Take-profit and stop orders of the position. */
  triggers: LiveOrder[]
}

/** A position that is not closed yet: the sums of its row. */
export interface OpenPosition {
  id: number
  long: boolean
  openMs: number
  openFill: number
  maxSz: Sz
  openSz: Sz
  openNotional: Usd
  closeSz: Sz
  closeNotional: Usd
  closedPnl: Usd
  fees: Usd
  fundingBefore: Usd
  liquidation: number | null
}
