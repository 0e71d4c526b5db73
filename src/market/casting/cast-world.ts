import { DAY_MS } from '../../clock/instant.ts'
import { parse, px as price, sz as size, sz, ZERO } from '../../decimal/quantity.ts'
import { UserError } from '../../platform/user-error.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { vaultOf } from '../accounting/savings.ts'
import { minuteTrades } from '../bars/minute-trades.ts'
import { BAR_MS, barAt } from '../bars/past-bars.ts'
import type { RecordedGap } from '../bars/recorded-past.ts'
import { planSavings } from '../personas/account-modes.ts'
import { planPersonas } from '../personas/personas.ts'
import { pxText, szText } from '../schema/schema.ts'
import { CastingContext } from './casting-context.ts'
import { CASTING_VERSION } from './casting-version.ts'
import { crowdLiquidations } from './history/crowd-liquidations.ts'
import { History } from './history/history.ts'
import { HISTORY_MS, type MarketPast, pastsOf } from './history/past.ts'
import { CrowdRecord, writeBars } from './history/past-rows.ts'
import { planOpenings } from './history/planned-liquidation.ts'
import { historyGrid, pricePaths } from './history/price-path.ts'
import { admitAccounts, planAccounts } from './history/tape-accounts.ts'
import { instrumentRows, MarketState } from './market/market-state.ts'
import { LiquidationRun } from './matching/liquidation-run.ts'
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
