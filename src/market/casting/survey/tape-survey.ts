import {
  add,
  negate,
  type Px,
  parse,
  type Rate,
  type Sz,
  sz as size,
  subtract,
  px as toPx,
  sz as toSz,
  ZERO,
} from '../../../decimal/quantity.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  greatestCommonDivisor,
  type InputAccount,
  type InputEvent,
  type InputInstrument,
  type InputLiquidation,
  type InputPosition,
  type InputTrade,
  parseNearest,
  rateOf,
  type TapeInput,
  usualTrade,
  withEvent,
} from '../tape-input.ts'
import { checkOpenInterest, tradeFlaw } from '../venue.ts'

/** Properties of an instrument surveyed before casting. */
export interface MarketSurvey {
  /** First price of the tape; null when the surveyed part has none. */
  firstPx: Px | null
  /** Smallest step between prices, and between sizes. */
  tick: Px
  lot: Sz
  /** Usual and mean size of a trade, and turnover per second, micro-dollars. */
  tradeUsd: number
  meanTradeUsd: number
  usdPerSecond: number
  /** Deviation of the logarithmic return of a minute, and the minutes it was seen in. */
  volatility?: { ofMinute: number; minutes: number }
  /** First open interest in the tape, if any. */
  interest: Sz | null
  premium: Rate | null
}

/** A liquidation whose position the history has to open. */
export interface PlannedLiquidation {
  coin: string
  timeMs: number
  direction: 'long' | 'short'
  /** Sum of the trades that execute it. */
  sz: Sz
  markPx: Px
  firstTid: number
}

export interface TapeSurvey {
  markets: Map<string, MarketSurvey>
  liquidations: PlannedLiquidation[]
  accounts: AccountOfTape[]
  /** Coins with prices only that get no past and no traders. */
  bare: ReadonlySet<string>
}

/**
 * Number of price-only markets that a world casts like traded ones: a recording of a venue's whole
 * price list has hundreds.
 */
export const WHOLE_MARKETS = 20

/** Number of surveyed events, if each instrument has had a price by then. */
const SURVEY_EVENTS = 20_000
const SURVEY_MS = 120_000

/**
 * Surveys a tape before casting: first prices and price grids from its beginning, turnover and
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
        if (event.kind === 'trade') surveyors.get(event.coin)?.count(event.data, event.time)
        collector.observe(event)
        accounts.observe(event)
      })
  const span = Math.max(header.endMs - header.startMs, 1)
  const markets = new Map([...surveyors].map(([coin, surveyor]) => [coin, surveyor.result(span)]))
  const bare = bareCoins([...surveyors.values()], accounts.result())
  return { markets, liquidations: collector.result(), accounts: accounts.result(), bare }
}

/** Price-only coins beyond the limit, except those held by an account. */
function bareCoins(all: readonly MarketSurveyor[], accounts: readonly AccountOfTape[]) {
  const held = new Set(
    accounts.flatMap(({ recorded }) =>
      recorded.flatMap(({ positions = [], orders = [] }) =>
        [...positions, ...orders].map(({ coin }) => coin),
      ),
    ),
  )
  const isTraded = ({ row, isRecorded }: MarketSurveyor) => isRecorded || held.has(row.coin)
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
  /** Sums over all its trades. */
  private total = { usd: 0, trades: 0 }
  private readonly moves = new MinuteVolatility()
  private interest: Sz | null = null
  private premium: Rate | null = null
  /** Whether it has trades or a book, and not only prices. */
  isRecorded = false

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

  /** Counts one trade of the tape. */
  count({ px, sz }: InputTrade, timeMs: number): void {
    const flaw = tradeFlaw(this.row.coin, px, sz)
    if (flaw) throw new UserError(`the tape cannot be cast: ${flaw}`)
    this.isRecorded = true
    this.moves.add(Number(px), timeMs)
    this.total.usd += Number(px) * Number(sz) * 1e6
    this.total.trades++
  }

  private price(px: string): void {
    const value = parse(px, this.row.pxDecimals)
    this.isRecorded = true
    this.firstPx ??= toPx(value)
    this.ticks.grid = greatestCommonDivisor(value, this.ticks.grid)
    this.ticks.seen++
  }

  result(tapeMs: number): MarketSurvey {
    const { ticks, lots, usd, total, interest, premium } = this
    if (interest && this.firstPx) checkOpenInterest(this.row, interest, this.firstPx)
    const sorted = usd.toSorted((a, b) => a - b)
    const meanUsd = total.trades > 0 ? total.usd / total.trades : 500e6
    return {
      firstPx: this.firstPx,
      tick: toPx(ticks.seen >= 20 ? Math.max(ticks.grid, 1) : 1),
      lot: toSz(lots.seen >= 20 ? Math.max(lots.grid, 1) : 1),
      tradeUsd: usualTrade(sorted[Math.floor(sorted.length / 2)], meanUsd),
      meanTradeUsd: meanUsd,
      usdPerSecond: Math.max((total.usd / Math.max(tapeMs, 10_000)) * 1000, 1e6),
      volatility: this.moves.result(),
      interest,
      premium,
    }
  }
}

/** Mean absolute return of whole minutes: one jump counts for little in it. */
class MinuteVolatility {
  private minute = Number.NaN
  private before = 0
  private px = 0
  private sum = 0
  private minutes = 0

  add(px: number, timeMs: number): void {
    const minute = Math.floor(timeMs / 60_000)
    if (minute !== this.minute) {
      if (this.before > 0) {
        this.sum += Math.abs(Math.log(this.px / this.before))
        this.minutes += Math.max(1, Math.round(minute - this.minute))
      }
      this.before = this.px
      this.minute = minute
    }
    this.px = px
  }

  result(): { ofMinute: number; minutes: number } {
    const { sum, minutes } = this
    return { ofMinute: minutes > 0 ? (sum / minutes) * Math.sqrt(Math.PI / 2) : 0, minutes }
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

/** An account of the tape, as of the tape's beginning. */
export interface AccountOfTape {
  address: string
  /** Its parts as recorded. */
  recorded: readonly InputAccount[]
  positions: readonly PositionOfTape[]
  /** Whether trades of the tape name it. */
  isNamed: boolean
}

export interface PositionOfTape {
  recorded: InputPosition
  /** Signed: the recorded size less the size traded before. */
  sz: Sz
}

interface Surveyed {
  recorded: InputAccount[]
  positions: PositionOfTape[]
}

/** Collects the accounts of a tape. */
class AccountSurvey {
  private readonly accounts = new Map<string, Surveyed>()
  private readonly named = new Set<string>()
  private readonly instruments: ReadonlyMap<string, InputInstrument>
  /** Signed traded sizes so far, by address and coin. */
  private readonly traded = new Map<string, Sz>()

  constructor(instruments: readonly InputInstrument[]) {
    this.instruments = new Map(instruments.map((row) => [row.coin, row]))
  }

  observe(event: InputEvent): void {
    if (event.kind === 'account') this.tell(event.data)
    if (event.kind !== 'trade' || !event.data.users) return
    const row = this.instruments.get(event.coin)
    if (!row) return
    const sz = size(parse(event.data.sz, row.szDecimals))
    const [buyer, seller] = event.data.users
    if (buyer) this.note(buyer, event.coin, sz)
    if (seller) this.note(seller, event.coin, negate(sz))
  }

  result(): AccountOfTape[] {
    return [...this.accounts].map(([address, { recorded, positions }]) => ({
      address,
      recorded,
      positions: positions.filter(({ sz }) => sz !== ZERO),
      isNamed: this.named.has(address),
    }))
  }

  private note(user: string, coin: string, signed: Sz): void {
    const address = user.toLowerCase()
    this.named.add(address)
    const key = `${address} ${coin}`
    this.traded.set(key, add(this.traded.get(key) ?? ZERO, signed))
  }

  private tell(data: InputAccount): void {
    const { address, positions = [] } = data
    const known = this.accounts.get(address) ?? { recorded: [], positions: [] }
    this.accounts.set(address, known)
    known.recorded.push(data)
    for (const recorded of positions) {
      const row = this.instruments.get(recorded.coin)
      if (!row || known.positions.some((one) => one.recorded.coin === recorded.coin)) continue
      const isShort = recorded.szi.startsWith('-')
      const sz = size(parse(isShort ? recorded.szi.slice(1) : recorded.szi, row.szDecimals))
      const traded = this.traded.get(`${address} ${recorded.coin}`) ?? ZERO
      known.positions.push({ recorded, sz: subtract(isShort ? negate(sz) : sz, traded) })
    }
  }
}
