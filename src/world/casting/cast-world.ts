import { px as price, sz as size, ZERO } from '../../decimal/quantity.ts'
import { parse } from '../../decimal/scaled.ts'
import { BAR_MS } from '../../market/minute-bar.ts'
import type { RecordedGap } from '../../market/recorded-gap.ts'
import { randomSource } from '../../random/random-source.ts'
import { UserError } from '../../user-error.ts'
import { CastingContext } from './casting-context.ts'
import { CASTING_VERSION } from './casting-version.ts'
import { crowdLiquidations } from './history/crowd-liquidations.ts'
import { DETAILED_MS, detailedMinutes } from './history/detailed-minutes.ts'
import { History } from './history/history.ts'
import { HISTORY_MS, pastsOf } from './history/past.ts'
import { writeBars } from './history/past-rows.ts'
import { planOpenings } from './history/planned-liquidation.ts'
import { historyGrid, pricePaths } from './history/price-path.ts'
import { admitAccounts, planAccounts } from './history/tape-accounts.ts'
import { NO_HISTORY, type RecordedHistory } from './history-input.ts'
import { CrowdRecord } from './market/crowd-record.ts'
import { instrumentRows } from './market/instrument-rows.ts'
import { MarketState } from './market/market-state.ts'
import { LiquidationRun } from './matching/liquidation-run.ts'
import { planPersonas } from './personas/personas.ts'
import type { AccountOfTape } from './survey/account-survey.ts'
import { surveyTape, type TapeSurvey } from './survey/tape-survey.ts'
import { TapeGaps } from './tape-gaps.ts'
import type { InputEvent, TapeInput } from './tape-input.ts'
import { TapeReplay } from './tape-replay.ts'
import { parseNearest, withEvent } from './tape-values.ts'
import type { RowSink } from './writing/row-sink.ts'
import type { WorldSink } from './writing/world-sink.ts'

/**
 * Turns a tape and a seed into a world: 30 days of history, or fewer, grown backwards from the
 * tape, then the whole tape, as rows. Memory does not grow with the tape's length.
 *
 * A tape that cannot be cast (an unknown coin, a number with too many digits) is a UserError.
 *
 * @param report called now and then with the number of the tape's events that are done
 * @param recorded candles for the time before the tape, of some of its instruments
 * @param historyMs how long the history is, whole days
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
  const { context, owners } = peopled(bare, survey.accounts)
  const grid = historyGrid(barsEndMs, historyMs)
  const byCoin = new Map(markets.map((market) => [market.row.coin, market]))
  const priced = markets.filter((market) => market.px > ZERO)
  // Each tape has a month of its own, also where the seed is the same.
  const month = random.fork(`past of ${tape.header.source} from ${startMs}`)
  const pasts = await pastsOf(priced, pastEndMs, month, recorded.histories, historyMs, rows)
  rows.derive(crowdLiquidations(pasts, { seed, historyStartMs, minutes }))
  const paths = pricePaths(pasts, grid, random.fork('paths'))
  const openings = planOpenings(survey.liquidations, paths, grid, barsEndMs, random.fork('dooms'))
  planPersonas(context, paths, barsEndMs, random.fork('personas'))
  planAccounts(context, paths, owners, { historyEndMs: barsEndMs, tapeStartMs: startMs })
  const history = new History(context, paths, random.fork('history'))
  for (const { market } of pasts) market.crowd = new CrowdRecord(historyStartMs, minutes)
  // The thread that writes has time now: at the end one would have to wait for it.
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

/** With those whom a new world begins with, and the first of its numbers. */
function peopled(context: CastingContext, accounts: readonly AccountOfTape[]) {
  const { random, numbers, agents, markets } = context
  numbers.last.twap = random.fork('ids').between(1e6, 2e6) - 1
  const owners = admitAccounts(context, accounts)
  agents.populate(markets.length)
  return { context, owners }
}

/** Bars of the past are minutes of the clock, as candles are. */
function timesBefore(startMs: number, historyMs: number) {
  const pastEndMs = startMs - (startMs % BAR_MS)
  return {
    pastEndMs,
    historyStartMs: pastEndMs - historyMs,
    barsEndMs: pastEndMs - DETAILED_MS,
    /** Bars of each instrument. */
    minutes: (historyMs - DETAILED_MS) / BAR_MS,
  }
}

function marketStates(tape: TapeInput, { markets }: TapeSurvey, rows: RowSink): MarketState[] {
  const surveys = tape.header.instruments.map(({ coin }) => {
    const survey = markets.get(coin)
    if (!survey) throw new UserError(`the tape's header lists ${coin} twice: list each coin once`)
    return survey
  })
  return instrumentRows(tape.header.instruments, surveys).map((row, index) => {
    rows.add('instrument', row)
    return new MarketState(row, surveys[index] as (typeof surveys)[number])
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

/** Begins the tape's liquidations, numbered, each with the holding that was prepared for it. */
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
  // What is packed holds no rows of its own, and of these facts not all are written yet.
  const counts = Object.entries(rows.counts).filter(([name]) => !['packed', 'meta'].includes(name))
  rows.add('meta', { key: 'counts', value: JSON.stringify(Object.fromEntries(counts)) })
}
