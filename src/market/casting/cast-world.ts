import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { parse, px as price, raw, sz as size, sz, ZERO } from '../../decimal/quantity.ts'
import { UserError } from '../../platform/user-error.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { type Vault, vaultOf } from '../accounting/savings.ts'
import { minuteTrades } from '../bars/minute-trades.ts'
import { BAR_MS, barAt } from '../bars/past-bars.ts'
import type { RecordedGap } from '../bars/recorded-past.ts'
import { type Persona, pxText, szText } from '../schema/schema.ts'
import { CastingContext } from './casting-context.ts'
import { CASTING_VERSION } from './casting-version.ts'
import { crowdLiquidations } from './history/crowd-liquidations.ts'
import { History } from './history/history.ts'
import { HISTORY_MS, type MarketPast, pastsOf } from './history/past.ts'
import { CrowdRecord, writeBars } from './history/past-rows.ts'
import { planOpenings } from './history/planned-liquidation.ts'
import { historyGrid, type PricePath, pricePaths } from './history/price-path.ts'
import { admitAccounts, planAccounts } from './history/tape-accounts.ts'
import { instrumentRows, MarketState } from './market/market-state.ts'
import { LiquidationRun } from './matching/liquidation-run.ts'
import {
  planBorrower,
  planDepositor,
  planSavings,
  planSubAccount,
  planUnified,
} from './personas/account-modes.ts'
import { planBusiest } from './personas/busiest.ts'
import { planLiquidated } from './personas/liquidated.ts'
import { planMarketMaker } from './personas/market-maker.ts'
import { planOverLeveraged } from './personas/over-leveraged.ts'
import type { PersonaTrader, PlannedOrder } from './personas/persona-planner.ts'
import { PersonaPlanner } from './personas/persona-planner.ts'
import { planStar, roundTripOrders } from './personas/star.ts'
import { planTwapWorker } from './personas/twap-worker.ts'
import { planWhale } from './personas/whale.ts'
import type { AccountOfTape } from './survey/tape-survey.ts'
import { surveyTape, type TapeSurvey } from './survey/tape-survey.ts'
import type { InputEvent, TapeInput } from './tape-input.ts'
import {
  NO_HISTORY,
  parseNearest,
  type RecordedHistory,
  TapeGaps,
  withEvent,
} from './tape-input.ts'
import { TapeReplay } from './tape-replay.ts'
import type { RowSink } from './writing/row-sink.ts'
import type { WorldSink } from './writing/world-sink.ts'

/**
 * Casts a tape and a seed into a world: 30 days of history, or fewer, grown backwards from the
 * tape, then the whole tape, as rows. Memory does not grow with the tape's length.
 *
 * A tape that cannot be cast (an unknown coin, a number with too many digits) is a UserError.
 *
 * @param report progress callback with the number of processed events
 * @param recorded candles for the time before the tape, of some of its instruments
 * @param historyMs length of the history, whole days
 */
export async function castWorld(
  tape: TapeInput,
  seed: string,
  rows: WorldSink,
  report: (events: number) => void = () => {},
  recorded: RecordedHistory = NO_HISTORY,
  historyMs: number = HISTORY_MS,
): Promise<void> {
  const survey = await surveyTape(tape)
  const { startMs, endMs } = tape.header
  const { pastEndMs, historyStartMs, barsEndMs, minutes } = timesBefore(startMs, historyMs)
  const markets = marketStates(tape, survey, rows)
  const random = randomSource(seed, 'world')
  const bare = new CastingContext(rows, markets, random, historyStartMs, barsEndMs)
  const peopled = markets.length - survey.bare.size
  const { context, owners } = populated(bare, survey.accounts, peopled)
  const grid = historyGrid(barsEndMs, historyMs)
  const byCoin = new Map(markets.map((market) => [market.row.coin, market]))
  const priced = markets.filter((market) => market.px > ZERO)
  // Each tape has a month of its own, also where the seed is the same.
  const month = random.fork(`past of ${tape.header.source} from ${startMs}`)
  const pasts = await pastsOf(priced, pastEndMs, month, recorded.histories, historyMs, rows)
  rows.derive(crowdLiquidations(pasts, { seed, historyStartMs, minutes }))
  context.feeDays.setMarket(dailyVolumes(pasts, historyStartMs, minutes))
  const paths = pricePaths(pasts, grid, random.fork('paths'))
  const openings = planOpenings(survey.liquidations, paths, grid, barsEndMs, random.fork('dooms'))
  planPersonas(context, paths, barsEndMs, random.fork('personas'), vaultOf(seed))
  planSavings(context, vaultOf(seed), random.fork('savings'))
  planAccounts(context, paths, owners, { historyEndMs: barsEndMs, tapeStartMs: startMs })
  const history = new History(context, paths, random.fork('history'))
  for (const { market } of pasts) market.crowd = new CrowdRecord(historyStartMs, minutes)
  // The writing thread is idle now; indexes at the end would add waiting time.
  history.write(grid, barsEndMs, openings, () => rows.createIndexes())
  writeBars(pasts, historyStartMs, rows)
  const runs = liquidationRuns(context, survey, history)
  const replay = new TapeReplay(context, runs.begin, random.fork('playing'), barsEndMs)
  for (const event of detailedMinutes(pasts, barsEndMs, startMs, random.fork('details')))
    replay.play(byCoin.get(event.coin), event)
  const gaps = await replayTape(tape, byCoin, replay, rows, report)
  replay.finish(endMs)
  runs.finish()
  context.finish()
  await rows.settled()
  writeMeta(rows, {
    source: tape.header.source,
    tapeDigest: tape.digest,
    seed,
    historyStartMs,
    historyDigest: recorded.digest,
    barsEndMs,
    gaps: JSON.stringify(gaps),
    castingVersion: CASTING_VERSION,
    startMs,
    endMs,
  })
  await rows.finish()
}

/** Adds the accounts of a new world and the first of its numbers. */
function populated(context: CastingContext, accounts: readonly AccountOfTape[], markets: number) {
  const { random, numbers, agents } = context
  numbers.last.twap = random.fork('ids').between(1e6, 2e6) - 1
  const owners = admitAccounts(context, accounts)
  agents.populate(markets)
  return { context, owners }
}

/** Volume of all accounts on a day before the tape, micro-dollars. */
function dailyVolumes(pasts: readonly MarketPast[], startMs: number, minutes: number) {
  const days = new Map<number, number>()
  for (const { market, bars } of pasts) {
    const unit = 10 ** (6 - market.row.pxDecimals - market.row.szDecimals)
    for (let at = 0; at < minutes; at++) {
      const { bought, sold, high, low } = barAt(bars, at)
      const day = Math.floor((startMs + at * BAR_MS) / DAY_MS)
      days.set(day, (days.get(day) ?? 0) + (((bought + sold) * (high + low)) / 2) * unit)
    }
  }
  return (day: number) => days.get(day) ?? 0
}

/** Bars of the past are minutes of the clock, as candles are. */
function timesBefore(startMs: number, historyMs: number) {
  const pastEndMs = startMs - (startMs % BAR_MS)
  return {
    pastEndMs,
    historyStartMs: pastEndMs - historyMs,
    barsEndMs: pastEndMs - DETAILED_MS,
    /** Minutes of bars per instrument. */
    minutes: (historyMs - DETAILED_MS) / BAR_MS,
  }
}

function marketStates(
  tape: TapeInput,
  { markets, bare }: TapeSurvey,
  rows: RowSink,
): MarketState[] {
  const surveys = tape.header.instruments.map(({ coin }) => {
    const survey = markets.get(coin)
    if (!survey) throw new UserError(`the tape's header lists ${coin} twice: list each coin once`)
    return survey
  })
  return instrumentRows(tape.header.instruments, surveys).map((row, index) => {
    rows.add('instrument', row)
    const market = new MarketState(row, surveys[index] as (typeof surveys)[number])
    // An instrument without a price does not trade.
    if (bare.has(row.coin)) market.px = ZERO
    return market
  })
}

async function replayTape(
  tape: TapeInput,
  byCoin: ReadonlyMap<string, MarketState>,
  replay: TapeReplay,
  rows: WorldSink,
  report: (events: number) => void,
): Promise<RecordedGap[]> {
  const gaps = new TapeGaps(tape.header)
  let events = 0
  for await (const batch of tape.events()) {
    for (const event of batch) {
      const market = byCoin.get(event.coin)
      if (!market && event.coin !== '') {
        const known = [...byCoin.keys()].join(', ')
        throw new UserError(`tape event ${event.seq} names ${event.coin}; the header has ${known}`)
      }
      gaps.observe(event)
      withEvent(event, () => replay.play(market, event))
      rows.reached(++events)
    }
    report(events)
    await rows.drain()
  }
  return gaps.result()
}

/** Numbers the tape's liquidations and begins each with its prepared holding. */
function liquidationRuns(context: CastingContext, { liquidations }: TapeSurvey, history: History) {
  const planned = new Map(
    liquidations.map((liquidation) => [`${liquidation.coin} ${liquidation.firstTid}`, liquidation]),
  )
  const runs: LiquidationRun[] = []
  const begin = (
    market: MarketState,
    event: InputEvent & { kind: 'liquidation' },
  ): LiquidationRun => {
    const liquidation = planned.get(`${market.row.coin} ${event.data.tids[0]}`)
    const agent = liquidation && history.preparedAgents.get(liquidation)
    const holding = agent && market.holdings.get(agent.id)
    const { position: direction, tids } = event.data
    const { pxDecimals, szDecimals } = market.row
    const order = {
      timeMs: event.time,
      direction,
      sz: size(parse(event.data.sz, szDecimals)),
      markPx: price(parseNearest(event.data.markPx, pxDecimals)),
      tids,
    }
    const run = new LiquidationRun(context, market, order, holding)
    if (tids.length === 0) run.finish()
    runs.push(run)
    return run
  }
  const finish = () => {
    for (const run of runs) run.finish()
  }
  return { begin, finish }
}

function writeMeta(rows: RowSink, facts: Record<string, string | number>): void {
  for (const [key, value] of Object.entries(facts)) rows.add('meta', { key, value: String(value) })
  // Packed rows are counted elsewhere, and these facts are not all written yet.
  const counts = Object.entries(rows.counts).filter(([name]) => !['packed', 'meta'].includes(name))
  rows.add('meta', { key: 'counts', value: JSON.stringify(Object.fromEntries(counts)) })
}

/**
 * The last minutes before the tape: their bars are split into single trades, which are cast like
 * the tape's own, so that lists of trades do not begin with the tape.
 */
const DETAILED_MS = 5 * BAR_MS

/**
 * Trades from an instant on, in order of time, as events of a tape. Where the tape begins within a
 * minute, its trades are spread over the part before.
 */
function detailedMinutes(
  pasts: readonly MarketPast[],
  fromMs: number,
  untilMs: number,
  random: RandomSource,
): InputEvent[] {
  const events = pasts.flatMap((past) => {
    const own = random.fork(past.market.row.coin)
    const minutes = Array.from({ length: DETAILED_MS / BAR_MS }, (_, at) => fromMs + at * BAR_MS)
    return minutes.flatMap((minuteMs) => tradesOf(past, minuteMs, own))
  })
  const stretch = (untilMs - fromMs) / DETAILED_MS
  const spread = (time: number) => fromMs + Math.floor((time - fromMs) * stretch)
  return events
    .map((event) => ({ ...event, time: spread(event.time) }))
    .sort((a, b) => a.time - b.time)
}

function tradesOf(past: MarketPast, minuteMs: number, random: RandomSource): InputEvent[] {
  const { row, survey } = past.market
  const lot = Number(survey.lot)
  return minuteTrades(past.barAt(minuteMs), lot, random).map((trade) => ({
    kind: 'trade',
    coin: row.coin,
    seq: 0,
    time: minuteMs + trade.offsetMs,
    data: {
      side: trade.isBuy ? 'B' : 'A',
      px: pxText(row, past.market.onTick(trade.px)),
      sz: szText(row, sz(trade.size)),
    },
  }))
}

const VALUE = { ofHour: 0, leastUsd: 60, mostUsd: 60 }

/** Three small trades in a week, of which the second gains; then none. */
function planBeginner(desk: PersonaPlanner): void {
  const beginner = desk.trader('beginner', 'quiet', 300, 3)
  const [past] = desk.perps
  if (!past) return
  const sz = desk.size(past, VALUE)
  for (const [at, daysBack] of [6, 4, 2].entries()) {
    const openMs = desk.startMs - daysBack * DAY_MS + desk.random.between(0, 180) * MINUTE_MS
    const closings = Array.from({ length: 12 }, (_, hours) => openMs + (hours + 1) * HOUR_MS)
    beginner.plan(roundTripOrders(desk, { past, openMs, closings, sz, wins: at === 1 }))
  }
}

const PLANS: Record<Persona, Plan> = {
  star: planStar,
  whale: planWhale,
  marketMaker: planMarketMaker,
  overLeveraged: planOverLeveraged,
  twapWorker: planTwapWorker,
  liquidatedLastNight: planLiquidated,
  beginner: planBeginner,
  empty: planEmpty,
  busiest: planBusiest,
  unified: planUnified,
  depositor: planDepositor,
  borrower: planBorrower,
  subAccount: planSubAccount,
}

type Plan = (desk: PersonaPlanner, vault: Vault) => void

/**
 * Plans the personas that exist in every world (src/market/schema/trader-rows.ts). They use known
 * prices, so that each one's characteristic holds; each has a random source of its own.
 */
function planPersonas(
  context: CastingContext,
  paths: readonly PricePath[],
  startMs: number,
  random: RandomSource,
  vault: Vault,
): void {
  const desk = (name: string) => new PersonaPlanner(context, paths, startMs, random.fork(name))
  // Without a perpetual none of the others can exist.
  if (desk('').perps.length === 0) return planEmpty(desk('empty'))
  for (const [name, plan] of Object.entries(PLANS)) plan(desk(name), vault)
  planLargeAccounts(desk('large'))
}

function planEmpty(desk: PersonaPlanner): void {
  desk.trader('empty', 'quiet', 0, 1)
}

/** Number of accounts, and of most-traded markets among which each has its own. */
const ACCOUNTS = 150
const MARKETS = 12
/** Number of markets of an account, and the ratio by which each is rarer than the previous. */
const HELD = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7]
const RARER = 0.8
/** Positions in markets beyond so many are smaller by their turnover. */
const LIQUID = 4
/** Part of the accounts with their positions on isolated margin. */
const ISOLATED = 0.35
/** Values of positions: a power law from above a whale's minimum. */
const LEAST_USD = 1_250_000
const MOST_USD = 14_000_000
const EXPONENT = 1.3
/** Part of the positions that are smaller than that, by up to so many powers of ten. */
const SMALL = { part: 0.2, powers: 2 }
/** Leverages of their positions on isolated margin, and spare equity. */
const LEVERAGES = [3, 4, 5, 5, 6, 8, 10, 12, 15, 20, 20]
/** Leverage limit of accounts from this total value on. */
const LARGEST = { fromUsd: 12_000_000, leverage: 6 }
const SPARE = 1.25
/** Equity is a power law as well; accounts with small positions keep the rest in cash. */
const EQUITY = { leastUsd: 1_400_000, exponent: 1.8, mostUsd: 25_000_000 }
/** Number of accounts with a running TWAP when the tape begins. */
const TWAPS = 12

/**
 * Plans accounts with whale-sized positions held for weeks: the upper end of a venue's accounts,
 * too rare among some hundred drawn traders.
 */
function planLargeAccounts(desk: PersonaPlanner): void {
  const { random } = desk
  const traded = desk.perps.slice(0, MARKETS)
  for (let at = 0; at < ACCOUNTS; at++) {
    const markets = drawMarkets(traded, at < TWAPS, random)
    const values = markets.map((past) => drawValue(desk) * shareOf(traded, past))
    const total = values.reduce((sum, value) => sum + value, 0)
    const most = total < LARGEST.fromUsd ? Number.POSITIVE_INFINITY : LARGEST.leverage
    const leverage = Math.min(most, random.pick(LEVERAGES))
    const usd = Math.max((SPARE * total) / leverage, drawEquity(desk))
    const trader = desk.trader(null, 'whale', usd, leverage, random.chance(ISOLATED))
    for (const [place, past] of markets.entries())
      trader.plan(positions(desk, past, values[place] as number))
    const [past] = markets
    if (past && at < TWAPS) planTwap(desk, trader, past)
  }
}

/** Markets of an account, with the most traded one among them where it must be. */
function drawMarkets(
  traded: readonly MarketPast[],
  withFirst: boolean,
  random: RandomSource,
): MarketPast[] {
  const count = Math.min(traded.length, random.pick(HELD))
  const found = new Set(withFirst ? traded.slice(0, 1) : [])
  while (found.size < count)
    for (const past of traded) {
      if (found.size === count) break
      if (random.chance(1 - RARER)) found.add(past)
    }
  return [...found]
}

/** Part of a usual value that a position in a market has. */
function shareOf(traded: readonly MarketPast[], { market }: MarketPast): number {
  const least = traded[Math.min(LIQUID, traded.length) - 1]?.market.survey.usdPerSecond ?? 0
  return Math.min(1, market.survey.usdPerSecond / least)
}

function drawValue({ random }: PersonaPlanner): number {
  if (random.chance(SMALL.part)) return LEAST_USD * 10 ** (-SMALL.powers * random.unit())
  return Math.min(MOST_USD, LEAST_USD * (1 - random.unit()) ** (-1 / EXPONENT))
}

function drawEquity({ random }: PersonaPlanner): number {
  const { leastUsd, exponent, mostUsd } = EQUITY
  return Math.min(mostUsd, leastUsd * (1 - random.unit()) ** (-1 / exponent))
}

/** A position that is open now, and often one that was closed before. */
function positions(desk: PersonaPlanner, past: MarketPast, usd: number): PlannedOrder[] {
  const { random, startMs, dayMs } = desk
  const openDay = 0.5 + 16 * random.unit()
  const orders = parts(desk, past, startMs - openDay * dayMs, usd, random.chance(0.5))
  if (random.chance(0.5)) return orders
  const buys = random.chance(0.5)
  const closeDay = openDay + 1 + 3 * random.unit()
  const before = usd * (0.9 + 0.4 * random.unit())
  const opening = parts(
    desk,
    past,
    startMs - (closeDay + 1 + 6 * random.unit()) * dayMs,
    before,
    buys,
  )
  const closing = opening.map(({ sz }, at) => ({
    past,
    timeMs: Math.floor(startMs - closeDay * dayMs) + at * 7 * MINUTE_MS,
    side: buys ? ('A' as const) : ('B' as const),
    sz,
  }))
  return [...opening, ...closing, ...orders]
}

/** Splits an entry into orders within hours. */
function parts(
  { random }: PersonaPlanner,
  past: MarketPast,
  fromMs: number,
  usd: number,
  buys: boolean,
): PlannedOrder[] {
  const count = random.between(2, 4)
  const lot = raw(past.market.survey.lot)
  const part = Math.ceil(raw(past.market.sizeFor(usd * 1e6)) / count / lot) * lot
  const stepMs = (4 * HOUR_MS) / count
  return Array.from({ length: count }, (_, at) => ({
    past,
    timeMs: Math.floor(fromMs + (at + 0.8 * random.unit()) * stepMs),
    side: buys ? 'B' : 'A',
    sz: size(part),
  }))
}

/** Adds a little by a TWAP that still runs when the tape begins. */
function planTwap(
  { context, startMs, random }: PersonaPlanner,
  trader: PersonaTrader,
  past: MarketPast,
) {
  context.tasks.put(startMs - random.between(3, 15) * MINUTE_MS, (_, timeMs) => {
    const holding = trader.holding(past)
    const side = raw(holding.sz) > 0 ? 'B' : 'A'
    const sz = past.market.sizeFor(random.between(40, 200) * 1e9)
    const minutes = random.pick([60, 90, 120, 240])
    context.twaps.start({ holding, side, sz, minutes, reduceOnly: false, share: 1 }, timeMs)
  })
}
