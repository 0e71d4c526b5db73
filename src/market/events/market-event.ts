/** Market events as data. Every kind is declared in a file of its own. */

import { type Hint, type Kind, type OptionalKind, type ReadonlyKind, Type } from '@sinclair/typebox'
import {
  type EventKind,
  type EventOf,
  eventKind,
  listing,
  type SettledListing,
} from './event-kind.ts'

/** The marks of schemas, which the declared types of the package name. */
export type SchemaMark = typeof Hint | typeof Kind | typeof OptionalKind | typeof ReadonlyKind

// A news event.

/** Possible news, from the stories of a world. */
export const NEWS_STORIES = [
  'financing',
  'fund-position',
  'licence',
  'mining',
  'new-fund',
  'product',
  'rule-making',
  'survey',
] as const

export type NewsStory = (typeof NEWS_STORIES)[number]

const news = eventKind({
  kind: 'news',
  about:
    'An institution starts a news story of this kind. Within half a minute it is in the news, in ' +
    'the news of other sites and in the newsflashes.',
  fields: Type.Object(
    {
      story: Type.Union(
        NEWS_STORIES.map((name) => Type.Literal(name)),
        { description: `subject: ${NEWS_STORIES.join(', ')}` },
      ),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'news', story: 'rule-making' },
  lengthS: () => PUBLISHED_WITHIN_S,
  excludes: [
    {
      kind: 'news',
      of: 'all coins',
      why: 'two stories within half a minute would be in the same second of the feeds',
    },
  ],
})

/** Feeds publish each half minute. */
const PUBLISHED_WITHIN_S = 30

// Fields shared by several kinds of market events.

/** A day: request again for longer events. */
const LENGTH_MAX_S = 86_400

/** Coin that it acts on. */
const CoinField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'coin of the market, such as BTC, or `busiest` or `quietest` by turnover',
})

/** One coin, or all when it is left out. */
const AnyCoinField = Type.Optional({
  ...CoinField,
  description: 'coin of the market, such as BTC or `busiest`; all coins by default',
})

/** Duration. */
const LengthField = (description: string) =>
  Type.Number({ minimum: 1, maximum: LENGTH_MAX_S, description: `${description}, s` })

/** An amount of money. */
const UsdField = (description: string) =>
  Type.Number({ minimum: 1_000, maximum: 1e10, description: `${description}, dollars` })

/** A factor. */
const FactorField = (minimum: number, maximum: number, description: string) =>
  Type.Number({ minimum, maximum, description })

/** Liquidates positions of one side. */
const liquidations = eventKind({
  kind: 'liquidations',
  about:
    'Positions of one side are liquidated, up to the given amount. The market moves to their ' +
    'liquidation prices, and the existing positions there are closed by market orders.',
  fields: Type.Object(
    {
      coin: CoinField,
      side: Type.Union([Type.Literal('long'), Type.Literal('short')], {
        description: 'side of the positions: `long` or `short`',
      }),
      usd: Type.Optional(UsdField('amount to liquidate')),
      interestPct: Type.Optional(
        Type.Number({
          minimum: 0.01,
          maximum: 30,
          description: 'amount in percent of the open interest; instead of `usd`',
        }),
      ),
      overS: Type.Optional(LengthField('duration, 60 by default')),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'liquidations', coin: 'BTC', side: 'long', usd: 20_000_000, overS: 60 },
  lengthS: ({ overS = LIQUIDATION_S }) => overS,
  flaw: ({ usd, interestPct }) =>
    (usd === undefined) === (interestPct === undefined)
      ? { field: 'usd', message: 'or interestPct says how much: give one of the two' }
      : undefined,
  settled: ({ interestPct, ...event }, { openInterestUsd }) =>
    interestPct === undefined
      ? event
      : { ...event, usd: Math.round((openInterestUsd * interestPct) / 100) },
  shortage({ usd = 0 }, { coin, kind, openInterestUsd }) {
    if (kind === 'spot')
      return { field: 'coin', message: `is ${coin}, a spot pair, in which there are no positions` }
    const mostUsd = Math.floor(openInterestUsd * INTEREST_SHARE_MAX)
    if (usd <= mostUsd) return undefined
    const message =
      `is ${usd}: of ${coin} positions of ${Math.round(openInterestUsd)} dollars are open, ` +
      `of which at most ${100 * INTEREST_SHARE_MAX} % (${mostUsd}) can be liquidated at once`
    return { field: 'usd', message }
  },
  excludes: [
    {
      kind: 'liquidations',
      of: 'same coin',
      why: 'two cascades of one coin cannot be distinguished: use one with their sum',
    },
    { kind: 'halt', of: 'same coin', why: 'a coin that is halted is not traded' },
    {
      kind: 'move',
      of: 'same coin',
      when: ({ side }: { side: string }, { pct }: { pct: number }) => (side === 'long') !== pct < 0,
      why: 'longs are liquidated when the price falls, shorts when it rises',
    },
  ],
})

/** Default duration of a cascade. */
const LIQUIDATION_S = 60
/** Larger shares would leave no market. */
const INTEREST_SHARE_MAX = 0.3

/** One account buys or sells a large amount. */
const whale = eventKind({
  kind: 'whale',
  about:
    'One account buys or sells the given amount, with one market order or in parts over time ' +
    '(a TWAP).',
  fields: Type.Object(
    {
      coin: CoinField,
      side: Type.Union([Type.Literal('buy'), Type.Literal('sell')], {
        description: '`buy` or `sell`',
      }),
      usd: UsdField('total amount'),
      overS: Type.Optional(LengthField('duration of a TWAP; one market order by default')),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'whale', coin: 'ETH', side: 'buy', usd: 3_000_000, overS: 600 },
  lengthS: ({ overS = ORDER_S }) => overS,
  shortage({ side, usd, overS }, standing) {
    if (overS !== undefined) return shareOfVolume(usd, overS, standing)
    const [what, standingUsd] =
      side === 'buy' ? (['asks', standing.askUsd] as const) : (['bids', standing.bidUsd] as const)
    const mostUsd = Math.floor(standingUsd * BOOK_SHARE_MAX)
    if (usd <= mostUsd) return undefined
    const message =
      `is ${usd}: the ${what} in the book of ${standing.coin} are worth ` +
      `${Math.round(standingUsd)} dollars, of which one order takes at most ` +
      `${100 * BOOK_SHARE_MAX} % (${mostUsd}); give overS to trade it in parts`
    return { field: 'usd', message }
  },
  excludes: [{ kind: 'halt', of: 'same coin', why: 'a coin that is halted is not traded' }],
})

/** One market order is filled within a second. */
const ORDER_S = 1
/** A larger order would leave no price. */
const BOOK_SHARE_MAX = 0.5
/** Limit relative to the turnover in the same time. */
const VOLUME_SHARE_MAX = 10

function shareOfVolume(
  usd: number,
  overS: number,
  { coin, dayVolumeUsd }: { coin: string; dayVolumeUsd: number },
) {
  const mostUsd = Math.max(1_000, Math.floor((VOLUME_SHARE_MAX * dayVolumeUsd * overS) / 86_400))
  if (usd <= mostUsd) return undefined
  const message =
    `is ${usd}: of ${coin} ${Math.round(dayVolumeUsd)} dollars are traded in a day, and ` +
    `${overS} s take at most ${mostUsd} more, ${VOLUME_SHARE_MAX} times what is usual; ` +
    'give a longer overS or less'
  return { field: 'usd', message }
}

/** Moves a coin's price by a percentage. */
const move = eventKind({
  kind: 'move',
  about:
    'The price of a coin moves by the given percentage, with a slow start and end. Then it can ' +
    'return by a part of the move, over the same time. Other coins follow by their betas.',
  fields: Type.Object(
    {
      coin: CoinField,
      pct: Type.Number({
        exclusiveMinimum: -100,
        maximum: 500,
        description: 'size of the move in percent of the price; more than -100',
      }),
      overS: LengthField('duration'),
      revertPct: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'part of the move that is taken back over the same time, in percent',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'move', coin: 'BTC', pct: -5, overS: 120, revertPct: 50 },
  lengthS: ({ overS, revertPct = 0 }) => (revertPct > 0 ? 2 * overS : overS),
  flaw({ pct, overS }) {
    if (pct === 0) return { field: 'pct', message: 'is 0: that is no move' }
    const leastS = Math.ceil(Math.abs(Math.log1p(pct / 100)) / FASTEST_PER_S)
    if (overS >= leastS) return undefined
    const message = `is ${overS}: a move by ${pct} % takes ${leastS} s at least`
    return { field: 'overS', message }
  },
  excludes: [
    {
      kind: 'move',
      of: 'all coins',
      why: 'one move at a time: the other coins follow it by their betas',
    },
    { kind: 'halt', of: 'same coin', why: 'a coin that is halted does not move' },
  ],
})

/** Log price change per second; beyond that a book has no price in between. */
const FASTEST_PER_S = 0.05

/** Funding pressure. */
const funding = eventKind({
  kind: 'funding',
  about:
    'The price of the perpetual is kept above or below its oracle price, so that its hourly ' +
    'funding approaches the given rate.',
  fields: Type.Object(
    {
      coin: CoinField,
      pct: Type.Number({
        minimum: -1,
        maximum: 1,
        description: 'hourly funding rate in percent; 0.00125 is usual',
      }),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'funding', coin: 'SOL', pct: 0.05, forS: 3600 },
  lengthS: ({ forS }) => forS,
  shortage: (_, { coin, kind }) =>
    kind === 'spot'
      ? { field: 'coin', message: `is ${coin}, a spot pair, which has no funding` }
      : undefined,
  excludes: [
    {
      kind: 'funding',
      of: 'same coin',
      why: 'one rate at a time: schedule one after the other',
    },
  ],
})

/** A volatility regime. */
const volatility = eventKind({
  kind: 'volatility',
  about: 'The size of price movements is multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.1, 10, 'factor of the usual movements'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'volatility', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'volatility',
      of: 'same coin',
      why: 'one factor at a time: use their product, or schedule one after the other',
    },
  ],
})

/** A spread regime. */
const spread = eventKind({
  kind: 'spread',
  about: 'The spreads between best bid and best ask are multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.5, 50, 'factor of the usual spread'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'spread', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'spread',
      of: 'same coin',
      why: 'one factor at a time: use their product, or schedule one after the other',
    },
  ],
})

/** A volume regime. */
const volume = eventKind({
  kind: 'volume',
  about: 'The traded volume is multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.05, 20, 'factor of the usual volume'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'volume', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'volume',
      of: 'same coin',
      why: 'one factor at a time: use their product, or schedule one after the other',
    },
  ],
})

/** A depth regime. */
const depth = eventKind({
  kind: 'depth',
  about: 'The sizes in books are multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.02, 20, 'factor of the usual size'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'depth', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'depth',
      of: 'same coin',
      why: 'one factor at a time: use their product, or schedule one after the other',
    },
  ],
})

/** Halts a coin, or the whole market. */
const halt = eventKind({
  kind: 'halt',
  about: 'Trading of a coin stops and its book does not change. Other coins continue.',
  fields: Type.Object(
    { coin: AnyCoinField, forS: LengthField('duration') },
    { additionalProperties: false },
  ),
  example: { kind: 'halt', coin: 'BTC', forS: 60 },
  lengthS: ({ forS }) => forS,
  excludes: [{ kind: 'halt', of: 'same coin', why: 'it is halted already' }],
})

/** All kinds, in the order of the documents. */
export const EVENT_KINDS = [
  move,
  liquidations,
  whale,
  volatility,
  volume,
  spread,
  depth,
  funding,
  halt,
  listing,
  news,
] as const satisfies readonly EventKind[]

/** A market event as given. */
export type GivenEvent = EventOf<(typeof EVENT_KINDS)[number]>

/** The same for a specific market: its coin by name, its amount in dollars. */
export type MarketEvent =
  | Exclude<GivenEvent, { kind: 'liquidations' | 'listing' }>
  | SettledListing
  | (Omit<EventOf<typeof liquidations>, 'interestPct' | 'usd'> & { usd: number })

/** A market event with its instants, tape time. */
export interface TimedMarketEvent {
  event: MarketEvent
  /** Time of the request. */
  requestedMs: number
  /** Start of the effect. */
  fromMs: number
}

/** An event with its start, ms of any time. */
export interface TimedEvent {
  event: GivenEvent
  fromMs: number
}

/** End of an event, same time. */
export const eventEndMs = ({ event, fromMs }: TimedEvent): number =>
  fromMs + Math.round(kindOf(event).lengthS(event as never) * 1000)

/** The declaration of an event's kind. */
export function kindOf({ kind }: Pick<GivenEvent, 'kind'>): EventKind {
  const found = EVENT_KINDS.find((one) => one.kind === kind)
  if (!found) throw new Error(`there is no kind of market event "${kind}"`)
  return found
}

/** The coin of an event; null for all coins, undefined for none. */
export function coinOf(event: GivenEvent): string | null | undefined {
  if (event.kind === 'news') return undefined
  return event.coin ?? null
}
