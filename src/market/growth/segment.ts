import { DAY_MS, MINUTE_MS } from '../../clock/instant.ts'
import {
  type FundingIndex,
  type Px,
  type Rate,
  raw,
  type Sz,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { SAVINGS_UNIT, STAKING } from '../accounting/savings.ts'
import { BAR_MS } from '../bars/past-bars.ts'
import type { Agent, Builder, KnownAgent } from '../casting/agents/agents.ts'
import { beginTrading, TwapTraders } from '../casting/agents/population.ts'
import type { TwapProgram } from '../casting/agents/twap-programs.ts'
import { CastingContext } from '../casting/casting-context.ts'
import { MarketState, type SubAccount } from '../casting/market/market-state.ts'
import { RowNumbers } from '../casting/row-numbers.ts'
import type { MarketSurvey } from '../casting/survey/tape-survey.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import { continuePersonas } from '../personas/personas.ts'
import { unpackBars } from '../schema/bar-blocks.ts'
import type { InstrumentRow, TwapRow } from '../schema/schema.ts'
import type { MarketOpening } from '../synth/local-conditions.ts'
import { openSynthesiser, Synthesiser } from '../synth/synthesiser.ts'
import { type Database, metaValue } from '../world/database.ts'
import { continuePrices, type Listing, listingsAmong } from './coins-without-past.ts'
import { GrowingMarket, GrowingVenue, ScheduledWhales, STEP_MS } from './growing-market.ts'
import { GrownBooks, knownBook } from './grown-books.ts'
import type { GrownRows } from './growth.ts'
import { EVENTS_KEY, type LineFacts } from './line-file.ts'
import {
  crowdOfBars,
  knownOpenInterest,
  restoreHoldings,
  restoreOrders,
  restoreVolumes,
} from './state/known-holdings.ts'

/** Length of a segment: its state is restored from the rows at its beginning. */
const SEGMENT_MS = 3_600_000

/** One segment of a line, grown from the rows at its beginning. */
export class Segment {
  readonly endMs: number
  private readonly context: CastingContext
  private readonly books: GrownBooks
  private readonly market: GrowingMarket
  private nowMs: number

  constructor(db: Database, facts: LineFacts, rows: GrownRows) {
    const { segmentMs: startMs } = facts
    const seed = metaValue(db, 'seed') ?? ''
    const historyStartMs = Number(metaValue(db, 'historyStartMs'))
    const numbers = new RowNumbers(structuredClone(facts.numbers))
    const scheduled = scheduledTo(db)
    const listings = listingsAmong(scheduled)
    const markets = knownMarkets(db, startMs, facts, listings)
    const world = randomSource(seed, 'world')
    const random = world.fork(`${facts.key}/${startMs}`)
    const context = new CastingContext(rows, markets, random, historyStartMs, startMs + 1, {
      numbers,
      people: world.fork('people'),
    })
    context.nowMs = startMs
    this.books = new GrownBooks(rows, numbers, streamedBests(db))
    const synthesiser = openMarkets(db, context, this.books, facts, scheduled)
    const whales = new ScheduledWhales(context, scheduled)
    const venue = new GrowingVenue(context, synthesiser, whales, random.fork('venue'))
    context.venue = venue
    const priced = markets.filter(({ row }) => hasPriceOnly(facts, row))
    continuePrices(context, priced, random.fork('prices'), startMs)
    restore(db, context, startMs, random.fork('restored'), whales)
    beginTrading(context, random.fork('population'), startMs)
    continueTwaps(context, random.fork('large orders'), startMs)
    this.endMs = segmentEnd(startMs, listings)
    const originMs = Number(metaValue(db, 'startMs'))
    continuePersonas(context, { originMs, fromMs: startMs, toMs: this.endMs })
    const playing = random.fork('playing')
    const parts = [context, venue, synthesiser, this.books] as const
    this.market = new GrowingMarket(...parts, playing, startMs)
    this.context = context
    this.nowMs = startMs
  }

  /** Last row numbers so far. */
  get numbers() {
    return this.context.numbers.last
  }

  /** Grows it up to an instant, a whole number of steps after its beginning. */
  grow(untilMs: number): void {
    const { context } = this
    while (this.nowMs < untilMs) {
      this.nowMs += STEP_MS
      this.market.step(this.nowMs)
    }
    // An hour that ends at this very instant must be charged now.
    context.funding.tick(context.markets, untilMs + 1)
    context.writeChanged()
    this.books.write()
  }
}

/** A listed coin opens like others: at the beginning of a segment. */
function segmentEnd(startMs: number, listings: readonly Listing[]): number {
  const next = listings.find(({ fromMs }) => fromMs > startMs)?.fromMs ?? Number.POSITIVE_INFINITY
  const steps = Math.ceil((next - startMs) / STEP_MS)
  return startMs + Math.min(SEGMENT_MS, steps * STEP_MS)
}

/**
 * Personas with planned pasts continue with their main activity: large orders, worked in slices.
 */
function continueTwaps(context: CastingContext, random: RandomSource, fromMs: number): void {
  const twaps = new TwapTraders(context, random)
  for (const agent of context.agents.all) {
    const { isPlanned, persona, role } = agent
    const isLarge = persona === null && role === 'whale'
    if (isPlanned && (isLarge || persona === 'twapWorker')) twaps.begin(agent, fromMs)
  }
}

function restore(
  db: Database,
  context: CastingContext,
  atMs: number,
  random: RandomSource,
  whales: ScheduledWhales,
): void {
  const agents = restoreTraders(db, context, atMs)
  restoreAccounts(db, context, agents, atMs)
  restoreHoldings(db, context, agents, atMs)
  restoreOrders(db, context, agents, atMs, random.fork('orders'))
  restoreTwaps(db, context, atMs, random.fork('twaps'), whales)
  restoreVolumes(db, context, atMs)
  for (const { holdings } of context.markets)
    for (const holding of holdings.values())
      if (holding.position && !holding.account.agent.isPlanned)
        context.plans.resume(holding, holding.position.openMs, atMs)
      else if (holding.position) context.plans.armTriggers(holding, atMs)
  context.watchMargins(atMs)
}

/** The markets, opened from their rows. */
function openMarkets(
  db: Database,
  context: CastingContext,
  books: GrownBooks,
  facts: LineFacts,
  scheduled: readonly TimedMarketEvent[],
): Synthesiser {
  const { segmentMs: atMs } = facts
  const openings: MarketOpening[] = []
  // A follower must come after its leader, and only spot pairs follow.
  const markets = context.markets.toSorted((a, b) => Number(b.isPerp) - Number(a.isPerp))
  for (const market of markets) {
    const profile = facts.profiles[market.row.id]
    if (!profile || market.px === ZERO) continue
    const book = knownBook(db, market.row, atMs)
    books.restore(market, book)
    openings.push({
      profile,
      book,
      lastPx: raw(market.px),
      oraclePx: market.isPerp ? raw(market.oracle) : null,
      premium: raw(market.premium) / 1e10,
      openInterestLots: raw(knownOpenInterest(db, market.row.id, atMs)),
      closes: market.memory.lastCloses(MINUTES),
      maxLeverage: market.row.maxLeverage,
    })
  }
  // Events at this very instant are past: steps begin right after it.
  const key = `${facts.key}/${atMs}`
  return new Synthesiser(openSynthesiser(key, atMs + 1, openings, facts.wander), scheduled)
}

/** Instruments with a separate stream of best prices. */
function streamedBests(db: Database): ReadonlySet<number> {
  const rows = db.query<{ id: number }, []>(
    'select id from instrument i where exists (select 1 from bbo b where b.instrument = i.id)',
  )
  return new Set(rows.all().map(({ id }) => id))
}

/** Events of the market. */
const scheduledTo = (db: Database): TimedMarketEvent[] =>
  JSON.parse(metaValue(db, EVENTS_KEY) ?? '[]')

/** Restores the traders and builders of the rows at an instant; by trader.id. */
function restoreTraders(
  db: Database,
  { agents }: CastingContext,
  atMs: number,
): ReadonlyMap<number, Agent> {
  agents.restoreBuilders(
    db.query<Builder, []>('select id, address, rate from builder order by id').all(),
  )
  const known = db.query<KnownAgent, [number]>(
    `select id, address, role, joinMs, builder, mode, master, persona,
       (select usd from ledger l where trader = trader.id and timeMs <= ? and type = 'deposit'
         and (select dex from account where id = l.account) = '' order by timeMs, id limit 1)
       as wealthUsd
     from trader order by id`,
  )
  const byId = new Map<number, Agent>()
  for (const row of known.all(atMs)) byId.set(row.id, agents.restore(row))
  return byId
}

const SLICE_MS = 30_000

/** Restores the TWAPs that run at an instant; each continues to its end. */
function restoreTwaps(
  db: Database,
  context: CastingContext,
  atMs: number,
  random: RandomSource,
  whales: ScheduledWhales,
): void {
  const running = db.query<TwapRow, [number]>(
    `select * from twap where timeMs <= ?1 and (endMs is null or endMs > ?1) order by id`,
  )
  const executed = db.query<Executed, [number, number]>(
    `select coalesce(sum(sz), 0) as sz, coalesce(sum(notional), 0) as notional,
       max(timeMs) as lastMs from fill where twap = ? and timeMs <= ?`,
  )
  for (const row of running.all(atMs)) {
    const market = context.markets[row.instrument] as MarketState
    const holding = market.holdings.get(row.trader)
    if (!holding) continue
    const { sz, notional, lastMs } = executed.get(row.id, atMs) as Executed
    const program: TwapProgram = Object.assign(row, {
      holding,
      reduceOnly: Boolean(row.reduceOnly),
      randomize: Boolean(row.randomize),
      endMs: null,
      endStatus: null,
      executedSz: sz ?? ZERO,
      executedNotional: notional ?? ZERO,
      stopMs: Math.max(row.timeMs + row.minutes * MINUTE_MS, atMs + 1),
      stopStatus: 'finished' as const,
      isFed: whales.isScheduled(row, market),
    })
    const drawnMs = atMs + random.fork(String(row.id)).between(1, SLICE_MS)
    const dueMs = lastMs === null ? drawnMs : lastMs + SLICE_MS
    context.twaps.restore(program, dueMs > atMs ? dueMs : drawnMs)
  }
}

interface Executed {
  sz: TwapRow['executedSz']
  notional: TwapRow['executedNotional']
  lastMs: number | null
}

/** Restores the accounts up to a number with their funds at an instant, without holdings. */
function restoreAccounts(
  db: Database,
  { ledger, numbers }: CastingContext,
  agents: ReadonlyMap<number, Agent>,
  atMs: number,
): void {
  const accounts = db.query<{ id: number; trader: number; dex: string }, [number]>(
    'select id, trader, dex from account where id <= ? order by id',
  )
  const fills = latestRows(db, 'realisedAfter', 'fill', atMs)
  const entries = latestRows(db, '0 as realisedAfter', 'ledger', atMs)
  for (const { id, trader, dex } of accounts.all(numbers.last.account)) {
    const agent = agents.get(trader)
    if (!agent) throw new Error(`account ${id} has no trader`)
    const [fill, entry] = [fills.get(id), entries.get(id)]
    const last = !fill || (entry && isLater(entry, fill)) ? entry : fill
    const account: SubAccount = {
      id,
      agent,
      dex,
      cash: last?.cashAfter ?? ZERO,
      realised: fill?.realisedAfter ?? ZERO,
      lastMs: last?.timeMs ?? agent.joinMs,
      holdings: [],
      awaitsLiquidation: false,
    }
    ledger.restore(account)
    if (dex === STAKING) agent.staked = raw(account.cash) / SAVINGS_UNIT
  }
}

/** The latest row of each account in a table. */
function latestRows(
  db: Database,
  columns: string,
  table: string,
  atMs: number,
): ReadonlyMap<number, AccountRow> {
  const rows = db.query<AccountRow, [number]>(
    `select last.account, timeMs, last.id, cashAfter, ${columns}
     from account a cross join ${table} last where last.id = (
       select id from ${table} where trader = a.trader and account = a.id and timeMs <= ?
       order by timeMs desc, id desc limit 1)`,
  )
  return new Map(rows.all(atMs).map((row) => [row.account, row]))
}

interface AccountRow {
  account: number
  timeMs: number
  id: number
  cashAfter: Usd
  realisedAfter: Usd
}

const isLater = (a: AccountRow, b: AccountRow) =>
  a.timeMs > b.timeMs || (a.timeMs === b.timeMs && a.id > b.id)

/** The instruments of the rows at an instant, in the order of their ids. */
function knownMarkets(
  db: Database,
  atMs: number,
  facts: Pick<LineFacts, 'surveys' | 'profiles'>,
  listings: readonly Listing[],
): MarketState[] {
  const ask = statements(db)
  const closes = recentCloses(db, atMs)
  return ask.instruments.all().map((row) => {
    const market = new MarketState(row, facts.surveys[row.id] as MarketSurvey)
    const isToCome = listings.some(({ event, fromMs }) => event.coin === row.coin && fromMs > atMs)
    market.px = isToCome ? ZERO : (ask.px.get(row.id, atMs)?.px ?? market.px)
    const mark = ask.mark.get(row.id, atMs)
    market.oracle = mark?.oracle ?? market.px
    market.mark = market.isPerp ? (mark?.mark ?? market.px) : null
    const funding = ask.funding.get(row.id, atMs)
    if (funding) {
      market.rate = funding.rate
      market.premium = funding.premium
      market.fundingIndex = funding.fundingIndex
    }
    market.crowdLong = ask.crowd.get(row.id, atMs)?.crowd ?? crowdOfBars(db, row.id)
    market.hasTapeMarks = market.isPerp
    for (const close of closes(row.id)) market.memory.add(close)
    // A coin without a market does not trade.
    if (hasPriceOnly(facts, row)) market.px = ZERO
    return market
  })
}

/** Whether a coin has a price and no market. */
const hasPriceOnly = ({ profiles }: Pick<LineFacts, 'profiles'>, { id, firstPx }: InstrumentRow) =>
  firstPx !== null && !profiles[id]

type At = [instrument: number, atMs: number]

function statements(db: Database) {
  const last = 'where instrument = ? and timeMs <= ? order by timeMs desc'
  return {
    instruments: db.query<InstrumentRow, []>('select * from instrument order by id'),
    px: db.query<{ px: Px }, At>(`select px from trade ${last}, id desc limit 1`),
    crowd: db.query<{ crowd: Sz }, At>(`select crowd from interest ${last}, id desc limit 1`),
    mark: db.query<{ mark: Px; oracle: Px }, At>(
      `select mark, oracle from mark ${last}, id desc limit 1`,
    ),
    funding: db.query<{ rate: Rate; premium: Rate; fundingIndex: FundingIndex }, At>(
      `select rate, premium, fundingIndex from funding ${last}, charged desc limit 1`,
    ),
  }
}

/** Minutes of prices that traders remember. */
const MINUTES = 2048

/**
 * An instrument's closes of the last minutes before an instant, oldest first: those of bars, else
 * of the last trade.
 */
function recentCloses(db: Database, atMs: number): (instrument: number) => number[] {
  const facts = db.query<{ value: string }, [string]>('select value from meta where key = ?')
  const barsEndMs = Number(facts.get('barsEndMs')?.value)
  const lastMs = Math.floor(atMs / BAR_MS) * BAR_MS
  const firstMs = lastMs - (MINUTES - 1) * BAR_MS
  const blocks = db.query<{ startMs: number; minutes: Uint8Array }, [number, number]>(
    'select startMs, minutes from bars where instrument = ? and startMs > ? order by startMs',
  )
  const trades = db.query<{ px: number | null }, [number, number, number]>(
    `with recursive minute(endMs) as (
       select ?2 where ?2 <= ?3 union all select endMs + ${BAR_MS} from minute where endMs < ?3)
     select (select px from trade where instrument = ?1 and timeMs < endMs
       order by timeMs desc, id desc limit 1) as px from minute`,
  )
  return (instrument) => {
    const closes: number[] = []
    for (const { startMs, minutes } of blocks.all(instrument, firstMs - DAY_MS - BAR_MS))
      for (const [at, close] of unpackBars(minutes).close.entries()) {
        const endMs = startMs + (at + 1) * BAR_MS
        if (endMs >= firstMs && endMs <= lastMs) closes.push(close)
      }
    const fromMs = Math.max(firstMs, barsEndMs + BAR_MS)
    for (const { px } of trades.all(instrument, fromMs, lastMs)) closes.push(px ?? 0)
    return closes.filter((px) => px > 0)
  }
}
