import { MINUTE_MS } from '../../../clock/instant.ts'
import {
  add,
  type FundingIndex,
  type Px,
  px as price,
  px,
  type Rate,
  rate,
  raw,
  type Sz,
  sz,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { fundingDecimalsFor } from '../../accounting/funding.ts'
import { nearestPrices, priceStep } from '../../schema/price-step.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import type { Agent } from '../agents/agents.ts'
import { traitsOf } from '../history/past.ts'
import type { CrowdRecord } from '../history/past-rows.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { MarketSurvey } from '../survey/tape-survey.ts'
import type { InputInstrument } from '../tape-input.ts'
import { TimedQueue } from '../timed-queue.ts'
import type { Venue } from '../venue.ts'
import { BookRoom } from './book-recorder.ts'

/** One instrument while the world is being cast. */
export class MarketState {
  /** Latest price. */
  px: Px
  /** Sum of the traders' long positions, and their net position. */
  longSize: Sz = ZERO
  netSize: Sz = ZERO
  /** The crowd's long interest by the latest report. */
  crowdLong: Sz = ZERO
  /** Records the traders' trades before the tape, which are taken from the crowd's bars. */
  crowd: CrowdRecord | null = null
  /** Funding so far (funding.fundingIndex) and the rate in force. */
  fundingIndex: FundingIndex = ZERO
  rate = rate(125_000)
  premium: Rate = ZERO
  /** The mark price, where margins use it; elsewhere they use the latest price. */
  mark: Px | null = null
  /** Latest oracle price. */
  oracle: Px
  /** Whether the tape has marks. */
  hasTapeMarks = false
  /** By trader id. */
  readonly holdings = new Map<number, Holding>()
  /** Alarms on the price, and on the mark price. */
  readonly alarms = new PriceAlarms()
  readonly markAlarms = new PriceAlarms()
  readonly memory: PriceMemory
  /** The best prices of its book. */
  readonly touch = new Touch<LiveOrder>()
  /** Makers' orders that are not wholly filled, by price. */
  readonly resting = { B: new Map<Px, LiveOrder>(), A: new Map<Px, LiveOrder>() }
  /** Orders that rest away from the price. */
  passiveOrders: LiveOrder[] = []
  /** Room for them in the book. */
  readonly room = new BookRoom<LiveOrder>()
  /** Prices at which the nearest passive order is cancelled. */
  pullBounds = openGuard()
  /** Micro-dollars of one size unit at price 1. */
  private readonly factor: number
  /** Micro-dollars per size unit when the funding index rises by one. */
  readonly fundingFactor: number
  /** Maintenance margin as a fraction of a position's value. */
  readonly maintenanceRate: number
  readonly isPerp: boolean
  /** The nearest valid price of the tape's instrument. */
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
   * Whether the crowd can buy a size from the traders: between two reports its long interest is
   * fixed, so it closes shorts, which are its longs and the traders' net position.
   */
  crowdBuys(sz: Sz): boolean {
    return !this.isPerp || sz <= add(this.crowdLong, this.netSize)
  }

  /** Approximate value of a size in micro-dollars, for decisions only. */
  value(sz: Sz): number {
    return raw(sz) * raw(this.px) * this.factor
  }

  /** Price that margins use. */
  get marginPx(): Px {
    return this.mark ?? this.px
  }

  /** The same at the price that margins use. */
  marginValue(sz: Sz): number {
    return raw(sz) * raw(this.marginPx) * this.factor
  }

  /** A size of about a value in micro-dollars, on the lot grid, at least one lot. */
  sizeFor(usd: number): Sz {
    const lot = raw(this.survey.lot)
    return sz(Math.max(1, Math.round(usd / (raw(this.px) * this.factor) / lot)) * lot)
  }

  /** Tick size near a price, in price units. */
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
  /** Deposits less withdrawals, plus realised PnL, less fees; funding left out. */
  cash: Usd
  realised: Usd
  /** Time of its latest row: no row may have an earlier time. */
  lastMs: number
  holdings: Holding[]
  /** Whether the tape will liquidate it: it is not topped up. */
  awaitsLiquidation: boolean
}

/** A trader's holding of one instrument. */
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
  /** Incremented by every fill, so that plans for an earlier position can be recognised. */
  changes: number
  /** Alarm of its margin. */
  marginAlarm: PriceAlarm | null
  /** Exit prices, price units; null for none. */
  targetPx: number | null
  stopPx: number | null
  /** Whether a part was liquidated, and the rest is next. */
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

/** Token numbers of the venue; others are numbered from 1000 on. */
const KNOWN_TOKENS: Record<string, number> = { USDC: 0, PURR: 1, HYPE: 150, USDT: 268 }
const FIRST_FREE_TOKEN = 1000

/** Numbers instruments as the venue lists them: perpetuals by dex, spot by pair and token. */
export function instrumentRows(
  instruments: readonly InputInstrument[],
  surveys: readonly MarketSurvey[],
): InstrumentRow[] {
  const places = new Map<string, number>()
  const tokens = new Map(Object.entries(KNOWN_TOKENS))
  const token = (name: string) => {
    const known = tokens.get(name)
    if (known !== undefined) return known
    const next = FIRST_FREE_TOKEN + tokens.size
    tokens.set(name, next)
    return next
  }
  return instruments.map((instrument, id) => {
    const { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage } = instrument
    const survey = surveys[id]
    const spot = kind === 'spot'
    const list = spot ? 'spot' : `perp ${dex}`
    const listIndex = places.get(list) ?? 0
    places.set(list, listIndex + 1)
    const pair = /^@(\d+)$/.exec(coin)
    return {
      id,
      coin,
      kind,
      dex,
      base,
      quote,
      pxDecimals,
      szDecimals,
      maxLeverage,
      asset: spot && pair ? Number(pair[1]) : listIndex,
      baseToken: spot ? token(base) : null,
      quoteToken: spot ? token(quote) : null,
      fundingDecimals: fundingDecimalsFor(survey?.firstPx ?? px(1), pxDecimals, szDecimals),
      tick: survey?.tick ?? px(1),
      firstPx: survey?.firstPx ?? null,
    }
  })
}

// Public knowledge of an instrument's last days: prices and their variance.

/** Number of remembered minutes. */
const MINUTES = 2_048
const MINUTES_PER_DAY = 1_440
/** Averaging length of the variance, in minutes. */
const MEAN_OVER = 600

export class PriceMemory {
  private readonly closes = new Float64Array(MINUTES)
  private count = 0
  private variance: number

  /** @param dailyVolatility of a day's logarithmic return, until some have been seen */
  constructor(dailyVolatility: number) {
    this.variance = dailyVolatility ** 2 / MINUTES_PER_DAY
  }

  /** Adds the price at the end of a minute, price units. */
  add(px: number): void {
    const before = this.closes[(this.count + MINUTES - 1) % MINUTES] as number
    if (before > 0 && px > 0) {
      // Caps one jump's influence on a whole day.
      const move = Math.min(Math.abs(Math.log(px / before)), 6 * Math.sqrt(this.variance))
      this.variance += (move ** 2 - this.variance) / MEAN_OVER
    }
    this.closes[this.count++ % MINUTES] = px
  }

  /** Closes of the last minutes, oldest first, at most so many. */
  lastCloses(minutes: number): number[] {
    const length = Math.min(minutes, MINUTES, this.count)
    const first = this.count - length
    const closes = Array.from({ length }, (_, at) => this.closes[(first + at) % MINUTES] as number)
    return closes.filter((px) => px > 0)
  }

  /** Logarithmic return over the last minutes up to a price; 0 where fewer are known. */
  returnOver(minutes: number, px: number): number {
    const back = Math.min(minutes, MINUTES - 1, this.count)
    const before = this.closes[(this.count - back + MINUTES) % MINUTES] as number
    return before > 0 && px > 0 ? Math.log(px / before) : 0
  }

  /** Standard deviation of a logarithmic return over a time. */
  deviation(ms: number): number {
    return Math.sqrt((this.variance * ms) / 60_000)
  }
}

/** An action at a price. */
export interface PriceAlarm {
  /** Price units. */
  readonly px: number
  /** Whether the mark price fires it rather than trades. */
  readonly ofMark?: boolean
  /** Whether it fires from below. */
  readonly above: boolean
  run(timeMs: number): void
}

/** Price alarms of one instrument: the nearest is found without checking the others. */
export class PriceAlarms {
  private readonly above = new TimedQueue<PriceAlarm>()
  private readonly below = new TimedQueue<PriceAlarm>()

  put(alarm: PriceAlarm): void {
    if (alarm.above) this.above.put(alarm.px, alarm)
    else this.below.put(-alarm.px, alarm)
  }

  /** Fires the alarms that a price has reached, in price units. */
  run(px: number, timeMs: number): void {
    const due: PriceAlarm[] = []
    for (let alarm = this.take(px, px); alarm; alarm = this.take(px, px)) due.push(alarm)
    for (const alarm of due) alarm.run(timeMs)
  }

  /** Removes one alarm that a price between two, in price units, has reached. */
  take(low: number, high: number): PriceAlarm | undefined {
    return this.above.take(high) ?? this.below.take(-low)
  }
}

/** Half-spread: a fraction of the price, and of a minute's deviation. */
const HALF_SPREAD = { fixed: 0.00008, byDeviation: 0.22 }

/** Half-spread that takers pay, relative to the price. */
export function halfSpread({ memory }: MarketState): number {
  return HALF_SPREAD.fixed + HALF_SPREAD.byDeviation * memory.deviation(MINUTE_MS)
}

/** A maker's quoted price. */
export function quotedPx(market: MarketState, side: 'B' | 'A'): Px {
  const away = halfSpread(market)
  const step = market.stepAt(raw(market.px))
  const now = raw(market.px)
  const rounded = raw(market.onTick(now * (side === 'B' ? 1 - away : 1 + away)))
  const px = side === 'B' ? Math.min(rounded, now - step) : Math.max(rounded, now + step)
  return price(Math.max(1, px))
}

/** Quotes the best price of one side for an instant. */
export function quoteOnce(
  venue: Venue,
  holding: Holding,
  side: 'B' | 'A',
  sz: Sz,
  timeMs: number,
): void {
  const { market } = holding
  const offer = (of: 'B' | 'A') => ({ px: quotedPx(market, of), sz: of === side ? sz : ZERO })
  venue.quote({ holding, bid: offer('B'), ask: offer('A') }, timeMs)
}

/** Fields of an order that the touch reads. */
interface Placed {
  readonly side: 'B' | 'A'
  readonly limitPx: Px
}

/** Orders are never dated back by more than this. */
const REMEMBERED_MS = 200_000

/**
 * The best prices of an instrument's book during casting, and the orders that must not cross them:
 * an order that the book has passed cannot still rest in it.
 */
export class Touch<O extends Placed> {
  private readonly sides = { B: new SideWatch<O>(1), A: new SideWatch<O>(-1) }

  /**
   * Sets the best prices from an instant on; null for an empty side. Returns the orders they cross.
   */
  move(timeMs: number, bid: Px | null, ask: Px | null): O[] {
    // Bids cross sell orders, asks cross buy orders.
    const sales = this.sides.A.move(timeMs, bid === null ? null : raw(bid))
    const purchases = this.sides.B.move(timeMs, ask === null ? null : raw(ask))
    return [...sales, ...purchases]
  }

  /** Watches an order, which `move` returns once it is crossed; it may have ended by then. */
  watch(order: O): void {
    this.sides[order.side].watch(order)
  }

  /** Whether an order of a side at a price would trade at once. */
  crosses(side: 'B' | 'A', px: Px): boolean {
    return this.sides[side].crosses(raw(px))
  }

  /** First instant from which an order of a side could have rested at a price until now. */
  freeFromMs(side: 'B' | 'A', px: Px, nowMs: number): number {
    return this.sides[side].freeFromMs(raw(px), nowMs)
  }
}

/** A best price that held until an instant. */
interface Passed {
  px: number
  untilMs: number
}

/** Orders of one side, and the other side's best price, negated for sell orders. */
class SideWatch<O extends Placed> {
  private best: number | null = null
  private readonly orders = new TimedQueue<O>()
  /** Earlier best prices, oldest first: each was nearer to these orders than all later ones. */
  private passed: Passed[] = []

  /** @param sign 1 for buy orders, which lower prices of the other side cross; else -1 */
  constructor(private readonly sign: 1 | -1) {}

  move(timeMs: number, px: number | null): O[] {
    const best = px === null ? null : px * this.sign
    if (best === this.best) return []
    if (this.best !== null) this.remember(this.best, timeMs)
    this.best = best
    const crossed: O[] = []
    if (best === null) return crossed
    for (let order = this.orders.take(-best); order; order = this.orders.take(-best))
      crossed.push(order)
    return crossed
  }

  watch(order: O): void {
    this.orders.put(-raw(order.limitPx) * this.sign, order)
  }

  crosses(px: number): boolean {
    return this.best !== null && this.best <= px * this.sign
  }

  freeFromMs(px: number, nowMs: number): number {
    if (this.crosses(px)) return nowMs
    const last = this.passed.findLast((one) => one.px <= px * this.sign)
    return last?.untilMs ?? Number.NEGATIVE_INFINITY
  }

  private remember(px: number, untilMs: number): void {
    while ((this.passed.at(-1)?.px ?? Number.NEGATIVE_INFINITY) >= px) this.passed.pop()
    this.passed.push({ px, untilMs })
    const first = this.passed[0]
    if (first && first.untilMs < untilMs - 2 * REMEMBERED_MS)
      this.passed = this.passed.filter((one) => one.untilMs >= untilMs - REMEMBERED_MS)
  }
}
