import {
  add,
  type Px,
  type Rate,
  type Sz,
  px as toPx,
  sz as toSz,
  ZERO,
} from '../../../decimal/quantity.ts'
import { parse } from '../../../decimal/scaled.ts'
import { checkInterest } from '../interest-bound.ts'
import type {
  InputEvent,
  InputInstrument,
  InputLiquidation,
  InputTrade,
  TapeInput,
} from '../tape-input.ts'
import { greatestCommonDivisor, parseNearest, rateOf, withEvent } from '../tape-values.ts'
import { type AccountOfTape, AccountSurvey } from './account-survey.ts'

/** What is known of an instrument before it is cast. */
export interface MarketSurvey {
  /** First price of the tape; null when the part surveyed names none. */
  firstPx: Px | null
  /** Smallest step between prices, and between sizes. */
  tick: Px
  lot: Sz
  /** Typical and mean size of a trade, and turnover of a second, micro-dollars. */
  tradeUsd: number
  meanTradeUsd: number
  usdPerSecond: number
  /** The first that the tape reports of it, if it does. */
  interest: Sz | null
  premium: Rate | null
}

/** A liquidation whose position the history has to open. */
export interface PlannedLiquidation {
  coin: string
  timeMs: number
  direction: 'long' | 'short'
  /** Sum of the trades that carry it out. */
  sz: Sz
  markPx: Px
  firstTid: number
}

export interface TapeSurvey {
  markets: Map<string, MarketSurvey>
  liquidations: PlannedLiquidation[]
  accounts: AccountOfTape[]
  /** Coins known only by prices that get no past and no traders. */
  bare: ReadonlySet<string>
}

/**
 * So many markets a world has that are known only by prices and are cast like the others, with
 * those that are traded: a recording of all prices of a venue has hundreds more.
 */
export const WHOLE_MARKETS = 20

/** How much of a tape is surveyed, if each instrument has had a price by then. */
const SURVEY_EVENTS = 20_000
const SURVEY_MS = 120_000

/**
 * Surveys a tape before it is cast: first prices and price grids from its beginning, turnover and
 * liquidations from all its trades.
 */
export async function surveyTape(tape: TapeInput): Promise<TapeSurvey> {
  const { header } = tape
  const surveyors = new Map(header.instruments.map((row) => [row.coin, new MarketSurveyor(row)]))
  await observeMarkets(tape, surveyors)
  const collector = new LiquidationCollector(surveyors)
  const accounts = new AccountSurvey(header.instruments)
  for await (const batch of tape.events(['trade', 'liquidation', 'account']))
    for (const event of batch)
      withEvent(event, () => {
        if (event.kind === 'trade') surveyors.get(event.coin)?.count(event.data)
        collector.observe(event)
        accounts.observe(event)
      })
  const span = Math.max(header.endMs - header.startMs, 1)
  const markets = new Map([...surveyors].map(([coin, surveyor]) => [coin, surveyor.result(span)]))
  const bare = bareCoins([...surveyors.values()], accounts.result())
  return { markets, liquidations: collector.result(), accounts: accounts.result(), bare }
}

/** Of the coins known only by prices those beyond the first; who holds one needs its market. */
function bareCoins(all: readonly MarketSurveyor[], accounts: readonly AccountOfTape[]) {
  const held = new Set(
    accounts.flatMap(({ told }) =>
      told.flatMap(({ positions = [], orders = [] }) =>
        [...positions, ...orders].map(({ coin }) => coin),
      ),
    ),
  )
  const isTraded = ({ row, isTold }: MarketSurveyor) => isTold || held.has(row.coin)
  const traded = all.filter(isTraded).length
  const priced = all.filter((one) => one.firstPx !== null && !isTraded(one))
  return new Set(priced.slice(Math.max(0, WHOLE_MARKETS - traded)).map(({ row }) => row.coin))
}

/** Reads until each instrument has had a price, or to the end. */
async function observeMarkets(
  { header, events }: TapeInput,
  surveyors: Map<string, MarketSurveyor>,
): Promise<void> {
  let seen = 0
  for await (const batch of events())
    for (const event of batch) {
      const isEnough = ++seen > SURVEY_EVENTS || event.time - header.startMs > SURVEY_MS
      if (isEnough && [...surveyors.values()].every((surveyor) => surveyor.firstPx !== null)) return
      withEvent(event, () => surveyors.get(event.coin)?.observe(event))
    }
}

class MarketSurveyor {
  firstPx: Px | null = null
  private ticks = { grid: 0, seen: 0 }
  private lots = { grid: 0, seen: 0 }
  private usd: number[] = []
  /** Of all its trades. */
  private total = { usd: 0, trades: 0 }
  private interest: Sz | null = null
  private premium: Rate | null = null
  /** Whether it has trades or a book, and not only prices. */
  isTold = false

  constructor(readonly row: InputInstrument) {}

  observe(event: InputEvent): void {
    const { pxDecimals, szDecimals } = this.row
    if (event.kind === 'trade') {
      const { px, sz } = event.data
      this.price(px)
      this.lots.grid = greatestCommonDivisor(parse(sz, szDecimals), this.lots.grid)
      this.lots.seen++
      this.usd.push(Number(px) * Number(sz) * 1e6)
    } else if (event.kind === 'book' || event.kind === 'delta') {
      for (const [px] of event.data.bids) this.price(px)
      for (const [px] of event.data.asks) this.price(px)
    } else if (event.kind === 'bbo') {
      if (event.data.bid) this.price(event.data.bid[0])
      if (event.data.ask) this.price(event.data.ask[0])
    } else if (event.kind === 'mark') {
      const { mark, oracle } = event.data
      this.firstPx ??= toPx(parseNearest(mark, pxDecimals))
      this.premium ??= rateOf(String(Number(mark) / Number(oracle) - 1))
    } else if (event.kind === 'interest')
      this.interest ??= toSz(parseNearest(event.data.openInterest, szDecimals))
  }

  /** One of all trades of the tape. */
  count({ px, sz }: InputTrade): void {
    this.isTold = true
    this.total.usd += Number(px) * Number(sz) * 1e6
    this.total.trades++
  }

  private price(px: string): void {
    const value = parse(px, this.row.pxDecimals)
    this.isTold = true
    this.firstPx ??= toPx(value)
    this.ticks.grid = greatestCommonDivisor(value, this.ticks.grid)
    this.ticks.seen++
  }

  result(tapeMs: number): MarketSurvey {
    const { ticks, lots, usd, total, interest, premium } = this
    if (interest && this.firstPx) checkInterest(this.row, interest, this.firstPx)
    const sorted = usd.toSorted((a, b) => a - b)
    return {
      firstPx: this.firstPx,
      tick: toPx(ticks.seen >= 20 ? Math.max(ticks.grid, 1) : 1),
      lot: toSz(lots.seen >= 20 ? Math.max(lots.grid, 1) : 1),
      tradeUsd: sorted[Math.floor(sorted.length / 2)] ?? 500e6,
      meanTradeUsd: total.trades > 0 ? total.usd / total.trades : 500e6,
      usdPerSecond: Math.max((total.usd / Math.max(tapeMs, 10_000)) * 1000, 1e6),
      interest,
      premium,
    }
  }
}

/** Collects liquidations and the sums of their trades. */
class LiquidationCollector {
  private readonly collected: PlannedLiquidation[] = []
  private readonly open = new Map<string, PlannedLiquidation>()

  constructor(private readonly surveyors: Map<string, MarketSurveyor>) {}

  observe(event: InputEvent): void {
    if (event.kind === 'liquidation') this.begin(event.coin, event.time, event.data)
    if (event.kind !== 'trade' || this.open.size === 0) return
    const { tid, side, sz, users } = event.data
    const liquidation = this.open.get(`${event.coin} ${tid}`)
    const surveyor = this.surveyors.get(event.coin)
    if (!liquidation || !surveyor) return
    // A trade on the wrong side cannot close the position; one that names its taker needs none.
    const taker = users?.[side === 'B' ? 0 : 1] ?? null
    if (taker !== null || (side === 'A') !== (liquidation.direction === 'long')) return
    liquidation.sz = add(liquidation.sz, toSz(parse(sz, surveyor.row.szDecimals)))
    this.open.delete(`${event.coin} ${tid}`)
  }

  result(): PlannedLiquidation[] {
    return this.collected.filter((liquidation) => liquidation.sz > ZERO)
  }

  private begin(coin: string, timeMs: number, data: InputLiquidation): void {
    const surveyor = this.surveyors.get(coin)
    const firstTid = data.tids[0]
    if (!surveyor || firstTid === undefined) return
    const markPx = toPx(parseNearest(data.markPx, surveyor.row.pxDecimals))
    const liquidation: PlannedLiquidation = {
      coin,
      timeMs,
      direction: data.position,
      sz: ZERO,
      markPx,
      firstTid,
    }
    this.collected.push(liquidation)
    for (const tid of data.tids) this.open.set(`${coin} ${tid}`, liquidation)
  }
}
