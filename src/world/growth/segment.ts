import { raw, sz as size, ZERO } from '../../decimal/quantity.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import type { MarketOpening } from '../../market/synth/market-opening.ts'
import { openSynthesiser, Synthesiser } from '../../market/synth/synthesiser.ts'
import { type RandomSource, randomSource } from '../../random/random-source.ts'
import { beginTrading } from '../casting/agents/population.ts'
import { TwapTraders } from '../casting/agents/twap-traders.ts'
import { CastingContext } from '../casting/casting-context.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import { RowNumbers } from '../casting/row-numbers.ts'
import type { Database } from '../database.ts'
import { GrowingMarket, STEP_MS } from './growing-market.ts'
import { GrowingVenue } from './growing-venue.ts'
import { GrownBooks } from './grown-books.ts'
import type { GrownRows } from './grown-rows.ts'
import { EVENTS_KEY, type LineFacts, metaValue } from './line-facts.ts'
import { type Listing, listingsAmong } from './listed-coins.ts'
import { goOnAsPersonas } from './personas/personas.ts'
import { restoreAccounts } from './state/known-accounts.ts'
import { knownBook } from './state/known-books.ts'
import { restoreHoldings } from './state/known-holdings.ts'
import { knownMarkets } from './state/known-markets.ts'
import { restoreOrders } from './state/known-orders.ts'
import { restoreTraders } from './state/known-traders.ts'
import { restoreTwaps } from './state/known-twaps.ts'
import { ToldWhales } from './told-whales.ts'

/** Length of a segment: at its beginning all that acts in it is taken from the rows of then. */
export const SEGMENT_MS = 3_600_000

/** One segment of a line, grown from the rows as of its beginning. */
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
    const told = toldTo(db)
    const listings = listingsAmong(told)
    const markets = knownMarkets(db, startMs, facts.surveys, listings)
    const world = randomSource(seed, 'world')
    const random = world.fork(`${facts.key}/${startMs}`)
    const context = new CastingContext(rows, markets, random, historyStartMs, startMs + 1, {
      numbers,
      people: world.fork('people'),
    })
    context.nowMs = startMs
    this.books = new GrownBooks(rows, numbers, streamedBests(db))
    const synthesiser = openMarkets(db, context, this.books, facts, told)
    const whales = new ToldWhales(context, told)
    const venue = new GrowingVenue(context, synthesiser, whales, random.fork('venue'))
    context.venue = venue
    restore(db, context, startMs, random.fork('restored'), whales)
    beginTrading(context, random.fork('population'), startMs)
    goOnWithTwaps(context, random.fork('large orders'), startMs)
    this.endMs = segmentEnd(startMs, listings)
    const originMs = Number(metaValue(db, 'startMs'))
    goOnAsPersonas(context, { originMs, fromMs: startMs, toMs: this.endMs })
    const playing = random.fork('playing')
    const parts = [context, venue, synthesiser, this.books] as const
    this.market = new GrowingMarket(...parts, playing, startMs)
    this.context = context
    this.nowMs = startMs
  }

  /** The last numbers of rows by now. */
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
    // An hour that is full at this very instant is charged now: later it could not be.
    context.funding.tick(context.markets, untilMs + 1)
    context.writeChanged()
    this.books.write()
  }
}

/** A coin that is listed is opened as others are: at the beginning of a segment. */
function segmentEnd(startMs: number, listings: readonly Listing[]): number {
  const next = listings.find(({ fromMs }) => fromMs > startMs)?.fromMs ?? Number.POSITIVE_INFINITY
  const steps = Math.ceil((next - startMs) / STEP_MS)
  return startMs + Math.min(SEGMENT_MS, steps * STEP_MS)
}

/** Whose past was planned goes on with what he did most: large orders, worked in slices. */
function goOnWithTwaps(context: CastingContext, random: RandomSource, fromMs: number): void {
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
  whales: ToldWhales,
): void {
  const agents = restoreTraders(db, context, atMs)
  restoreAccounts(db, context, agents, atMs)
  restoreHoldings(db, context, agents, atMs)
  restoreOrders(db, context, agents, atMs, random.fork('orders'))
  restoreTwaps(db, context, atMs, random.fork('twaps'), whales)
  for (const { holdings } of context.markets)
    for (const holding of holdings.values())
      if (holding.position && !holding.account.agent.isPlanned)
        context.plans.resume(holding, holding.position.openMs, atMs)
  context.watchMargins(atMs)
}

/** The markets, opened with what the rows show of them. */
function openMarkets(
  db: Database,
  context: CastingContext,
  books: GrownBooks,
  facts: LineFacts,
  told: readonly TimedMarketEvent[],
): Synthesiser {
  const { segmentMs: atMs } = facts
  const openings: MarketOpening[] = []
  const isListed = ({ row }: MarketState) =>
    listingsAmong(told).some(({ event }) => event.coin === row.coin)
  // Who follows another stands after it, and only spot pairs follow.
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
      openInterestLots: raw(reportedInterest(db, market, atMs)),
      usualInterestLots: isListed(market) ? raw(market.sizeFor(profile.interestUsd * 1e6)) : 0,
    })
  }
  // What happens at this very instant has happened: steps begin right after it.
  const key = `${facts.key}/${atMs}`
  return new Synthesiser(openSynthesiser(key, atMs + 1, openings, facts.wander), told)
}

/** Instruments whose best prices are a stream of their own. */
function streamedBests(db: Database): ReadonlySet<number> {
  const rows = db.query<{ id: number }, []>(
    'select id from instrument i where exists (select 1 from bbo b where b.instrument = i.id)',
  )
  return new Set(rows.all().map(({ id }) => id))
}

/** What the market was told. */
const toldTo = (db: Database): TimedMarketEvent[] => JSON.parse(metaValue(db, EVENTS_KEY) ?? '[]')

/** Open interest as it was reported last, else what everybody is long. */
function reportedInterest(db: Database, market: MarketState, atMs: number) {
  const reported = db
    .query<{ reported: number }, [number, number]>(
      `select reported from interest where instrument = ? and timeMs <= ?
       order by timeMs desc, id desc limit 1`,
    )
    .get(market.row.id, atMs)
  return size(reported?.reported ?? raw(market.crowdLong) + raw(market.longSize))
}
