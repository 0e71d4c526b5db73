/**
 * The perpetual venue's own API, served by a sandbox with `profile: "raw"` to native clients:
 * unsigned, without an envelope, at the root of its base URL.
 */

import { mapSlices } from '../clock/turns.ts'
import { isJsonObject } from '../platform/json-object.ts'
import { publicAccess } from './access.ts'
import { CHANNELS } from './catalogue.ts'
import { type Channel, channel } from './channel.ts'
import { candle } from './channels/candle.ts'
import { l2Book } from './channels/l2-book.ts'
import { Dex, isDex } from './dex.ts'
import {
  hasHalfCharacter,
  hasOtherNumber,
  hasRepeatedName,
  NODE_DIALECT,
  VENUE_DIALECT,
} from './dialect.ts'
import type { BookQuery } from './facts/perpdex/traders.ts'
import type { Facts } from './facts.ts'
import { CONTRACT_BOUNDS, jsonBoundFlaw } from './fields/json-bounds.ts'
import { VENUE_INFO_TYPES } from './info/index.ts'
import { infoAnswerer } from './info/info-type.ts'
import { flatCandleSnapshot } from './info/market.ts'
import { denseSpotMeta } from './info/venue.ts'
import { bare, isJsonType, type Operation, operation, type SentRequest } from './operation.ts'
import { Candle, type TakerCandle, VenueInterval } from './records/candle.ts'
import { OrderUpdate } from './records/order.ts'
import { isRefusal, type Refusal } from './refusal.ts'
import { Address, Coin, Decimal, Type } from './schema.ts'
import { ACCOUNT_CHANNELS } from './venue/account-channels.ts'
import { MARKET_CHANNELS } from './venue/market-channels.ts'

/** A refusal in the venue's own form. */
interface VenueRefusalForm {
  status: number
  contentType: string
  body: string
}

const UNREADABLE: VenueRefusalForm = {
  status: 422,
  contentType: 'text/plain; charset=utf-8',
  body: 'Failed to deserialize the JSON body into the target type',
}

const UNPARSABLE: VenueRefusalForm = {
  status: 400,
  contentType: 'text/plain; charset=utf-8',
  body: 'Failed to parse the request body as JSON',
}

const NOT_JSON: VenueRefusalForm = {
  status: 415,
  contentType: 'text/plain; charset=utf-8',
  body: 'Expected request with `Content-Type: application/json`',
}

const TOO_MUCH: VenueRefusalForm = { status: 429, contentType: 'application/json', body: 'null' }
const NO_MARKET: VenueRefusalForm = { ...TOO_MUCH, status: 500 }

/** The venue's form of a refusal; null for those that have only ours. */
export function venueRefusal(refusal: Refusal): VenueRefusalForm | null {
  switch (refusal.refused) {
    case 'body':
      return refusal.expected === JSON_TEXT ? UNPARSABLE : UNREADABLE
    case 'missing':
    case 'invalid':
    case 'infoType':
      return UNREADABLE
    case 'market':
      return NO_MARKET
    case 'mediaType':
      return NOT_JSON
    case 'weight':
    case 'connections':
      return TOO_MUCH
    default:
      return null
  }
}

/** The refusal of an action, over HTTP and over a socket, in the venue's own form. */
export const ACTION_REFUSAL = {
  status: 'err',
  response: 'Actions are not carried out here: this is a stand-in for market data alone.',
} as const

/** The venue reads JSON that says so, and nothing else. Without headers there is nothing to say. */
const mediaFlaw = (sent: SentRequest): Refusal<'mediaType'> | null =>
  isJsonType(sent) ? null : { refused: 'mediaType' }

/** Numbers of a request are whole, and written so: the venue reads no `1.0` and no `1e3`. */
const WHOLE = 'whole numbers'

/** The venue's reader knows a name of an object once; JavaScript's takes the last value of it. */
const NAMED_ONCE = 'each name of an object once'

/** What is wrong with JSON that other readers would accept. */
function writingFlaw({ body }: SentRequest): Refusal<'body'> | null {
  if (hasOtherNumber(body)) return { refused: 'body', expected: WHOLE }
  return hasRepeatedName(body) ? { refused: 'body', expected: NAMED_ONCE } : null
}

/** Text that is no JSON at all has a refusal of its own. */
const JSON_TEXT = 'JSON'

/** What is wrong with a request before its fields are read. */
function flawOf(sent: SentRequest): Refusal<'mediaType' | 'body'> | null {
  const flaw = mediaFlaw(sent)
  if (flaw) return flaw
  if (jsonBoundFlaw(sent.body, CONTRACT_BOUNDS)) return { refused: 'body', expected: BOUNDED }
  return isJson(sent.body) ? null : { refused: 'body', expected: JSON_TEXT }
}

/** Deeper or longer JSON than any request is refused unread, as one of another shape. */
const BOUNDED = 'JSON within the bounds of requests'

/** What was no UTF-8 has been replaced when a body is decoded; the venue parses neither. */
const REPLACED = '\ufffd'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return !text.includes(REPLACED) && !hasHalfCharacter(text)
  } catch {
    return false
  }
}

const exchange = operation({
  id: 'venue.exchange',
  method: 'POST',
  path: '/exchange',
  profile: 'raw',
  title: "The perpetual venue's actions, each refused",
  about: 'Orders, cancels and transfers are signed for the venue: each is refused in its form.',
  source: 'the perpetual venue, exchange endpoint',
  envelope: bare,
  access: publicAccess,
  params: {
    body: Type.Object(
      {
        action: Type.Object({}, { additionalProperties: true, description: 'what is to be done' }),
      },
      { additionalProperties: true },
    ),
  },
  data: Type.Object({
    status: Type.Literal('err'),
    response: Type.String({ description: 'why' }),
  }),
  refuses: ['mediaType', 'missing', 'invalid'],
  flawAsSent: flawOf,
  examples: [{ name: 'a cancel', body: { action: { type: 'cancel', cancels: [] }, nonce: 1 } }],
  answer: () => ACTION_REFUSAL,
})

// The last one of a name counts.
const answerInfo = infoAnswerer([...VENUE_INFO_TYPES, flatCandleSnapshot, denseSpotMeta])

/** Answers a body of the venue's `POST /info`, of any type. */
export const answerVenueInfo: typeof answerInfo = (body, facts) => {
  const parameter = negativeIn(body)
  return parameter === null
    ? answerInfo(body, facts)
    : { refused: 'invalid', parameter, expected: 'a number of 0 or more' }
}

/** The field of a request with a negative number, which the venue never accepts; null for none. */
function negativeIn(body: object): string | null {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'number' && value < 0) return name
    const inner = isJsonObject(value) ? Object.entries(value) : []
    for (const [field, each] of inner)
      if (typeof each === 'number' && each < 0) return `${name}.${field}`
  }
  return null
}

export const info = operation({
  id: 'venue.info',
  method: 'POST',
  path: '/info',
  profile: 'raw',
  title: 'Info requests of the perpetual venue',
  about: 'Unsigned and without an envelope; refusals have the form of the venue.',
  source: 'the perpetual venue, info endpoint and rate limits',
  envelope: bare,
  access: publicAccess,
  params: {
    body: Type.Object(
      { type: Type.String({ description: VENUE_INFO_TYPES.map((one) => one.type).join(', ') }) },
      { additionalProperties: true },
    ),
  },
  bodies: new Map(VENUE_INFO_TYPES.map((one) => [one.type, one])),
  data: Type.Unknown({ description: 'as the venue answers this type' }),
  refuses: ['mediaType', 'weight', 'infoType', 'missing', 'invalid', 'market'],
  flawAsSent: (sent) => flawOf(sent) ?? writingFlaw(sent),
  assumed: ['venue-rate-limit'],
  examples: [{ name: 'mid prices', body: { type: 'allMids' } }],
  answer: ({ body }, facts, { venue }) => {
    const { base, rowsEach } = REQUEST_WEIGHTS[body.type] ?? REQUEST_WEIGHTS.other
    if (!venue.spend(base)) return { refused: 'weight' }
    return mapSlices(answerVenueInfo(body, facts), (data) => {
      if (isOfNoMarket(body, data)) return { refused: 'market' } as const
      // The weight of the rows counts against the next request: this one is answered already.
      if (rowsEach && Array.isArray(data)) venue.spend(Math.floor(data.length / rowsEach))
      return data
    })
  },
})

/** Types whose null is an error of the venue over HTTP; over a socket it is their answer. */
const OF_A_MARKET: ReadonlySet<string> = new Set([
  'meta',
  'metaAndAssetCtxs',
  'candleSnapshot',
  'recentTrades',
  'fundingHistory',
])

/** Whether an answer is that a coin or a dex is unknown. */
const isOfNoMarket = ({ type, dex }: { type: string; dex?: unknown }, answer: unknown) =>
  answer === null
    ? OF_A_MARKET.has(type)
    : typeof dex === 'string' &&
      isRefusal(answer) &&
      answer.refused === 'invalid' &&
      answer.parameter === 'dex'

/** The weight of a request in the venue's limit a minute. */
interface RequestWeight {
  base: number
  /** Number of rows with a weight of 1; 0 when rows have none. */
  rowsEach: number
}

/** Maximum weight of an address in a minute. */
export const WEIGHT_PER_MINUTE = 1_200

const light: RequestWeight = { base: 2, rowsEach: 0 }
const listed: RequestWeight = { base: 20, rowsEach: 20 }

/** By type; `other` is the default. */
const REQUEST_WEIGHTS: Record<string, RequestWeight> & { other: RequestWeight } = {
  other: { base: 20, rowsEach: 0 },
  l2Book: light,
  allMids: light,
  clearinghouseState: light,
  orderStatus: light,
  spotClearinghouseState: light,
  exchangeStatus: light,
  userRole: { base: 60, rowsEach: 0 },
  candleSnapshot: { base: 20, rowsEach: 60 },
  recentTrades: listed,
  historicalOrders: listed,
  userFills: listed,
  userFillsByTime: listed,
  fundingHistory: listed,
  userFunding: listed,
  userNonFundingLedgerUpdates: listed,
  userTwapSliceFills: listed,
}

const orderUpdates = channel({
  id: 'orderUpdates',
  dialect: VENUE_DIALECT,
  access: publicAccess,
  title: 'Orders of an account as they change',
  source: 'the perpetual venue, WebSocket',
  subscription: Type.Object({ type: Type.Literal('orderUpdates'), user: Address() }),
  key: ['user'],
  counted: false,
  data: Type.Array(OrderUpdate),
  examples: [{ type: 'orderUpdates', user: '0x0000000000000000000000000000000000000001' }],
  topics: ({ user }) => [`order/${user}`],
  snapshot: () => undefined,
  push: ({ user }, event, facts) => {
    if (event.kind !== 'order' || !event.first) return undefined
    const updates = facts.orders.updates(user, event.dex)
    return updates.length > 0 ? updates : undefined
  },
})

const allMids = channel({
  id: 'allMids',
  dialect: VENUE_DIALECT,
  access: publicAccess,
  title: 'Mid prices of all coins',
  source: 'the perpetual venue, WebSocket',
  subscription: Type.Object({
    type: Type.Literal('allMids'),
    dex: Dex,
  }),
  key: ['dex'],
  counted: false,
  pushPolicy: { minGapMs: 1_000 },
  data: Type.Object({
    dex: Type.Optional(Type.String({ description: "only a builder's" })),
    mids: Type.Record(Type.String(), Decimal('mid price')),
  }),
  examples: [{ type: 'allMids' }],
  topics: (_, facts) => facts.market.tickers().map(({ coin }) => `bbo/${coin}`),
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: ({ dex }, facts) => midsOf(dex, facts),
  push: ({ dex }, _, facts) => midsOf(dex, facts),
})

const midsOf = (dex: string | undefined, { venue }: Facts) => ({
  ...(dex && { dex }),
  mids: venue.allMids(dex ?? ''),
})

/** Levels of a side of a fast book. */
const FAST_LEVELS = 5

type BookSubscription = BookQuery & { fast?: boolean }

function venueBook(subscription: BookSubscription, facts: Facts) {
  const { fast } = subscription
  const book = facts.books.l2(subscription)
  if (!book || !fast) return book ?? undefined
  const [bids, asks] = book.levels.map((side) => side.slice(0, FAST_LEVELS))
  return { ...book, levels: [bids, asks], fast: true }
}

/** A candle of the service without what the venue does not have: one object for each of those. */
function venueCandle(candle: TakerCandle | undefined): Candle | undefined {
  if (!candle) return undefined
  const known = venueCandles.get(candle)
  if (known) return known
  const { a: _a, nb: _nb, vb: _vb, ab: _ab, ...ofVenue } = candle
  venueCandles.set(candle, ofVenue)
  return ofVenue
}

const venueCandles = new WeakMap<TakerCandle, Candle>()

type CandlePushes = Parameters<NonNullable<typeof candle.closedBefore>>

/** Differences of the venue in channels that the service passes on, by their ids. */
const OF_VENUE: Readonly<Record<string, Partial<Channel>>> = {
  candle: {
    subscription: Type.Object({
      type: Type.Literal('candle'),
      // In the order in which the venue echoes them.
      interval: VenueInterval(),
      coin: Coin(),
    }),
    data: Candle,
    snapshot: (subscription: never, facts: Facts) =>
      venueCandle(candle.snapshot(subscription, facts) as TakerCandle | undefined),
    push: (subscription: never, ...rest) =>
      venueCandle(candle.push(subscription, ...rest) as TakerCandle | undefined),
    *closedBefore(...pushes: CandlePushes) {
      for (const closed of candle.closedBefore?.(...pushes) ?? [])
        yield venueCandle(closed as TakerCandle)
    },
  },
  l2Book: {
    subscription: Type.Object({
      ...l2Book.subscription.properties,
      fast: Type.Optional(Type.Boolean({ description: 'five levels a side' })),
    }),
    data: Type.Object(
      { ...l2Book.data.properties, fast: Type.Optional(Type.Literal(true)) },
      { additionalProperties: false },
    ),
    options: [...l2Book.options, 'fast'],
    exists: ({ nSigFigs, mantissa, ...rest }: BookSubscription, facts) =>
      (l2Book.exists?.(rest as never, facts) ?? true) && (mantissa == null || nSigFigs === 5),
    snapshot: venueBook,
    push: (subscription: BookSubscription, _, facts) => venueBook(subscription, facts),
  },
}

export const VENUE_OPERATIONS: readonly Operation[] = [info, exchange]

/** The channels that the service passes on, and those that it refuses. */
export const VENUE_CHANNELS: readonly Channel[] = [
  ...CHANNELS.filter(({ dialect }) => dialect === NODE_DIALECT)
    .map((channel): Channel => ({ ...channel, ...OF_VENUE[channel.id] }))
    .map((channel) => ({
      ...channel,
      dialect: VENUE_DIALECT,
      counted: false,
      // The venue distinguishes subscriptions by every field.
      key: [...channel.key, ...channel.options],
      options: [],
    })),
  allMids,
  orderUpdates,
  ...MARKET_CHANNELS,
  ...ACCOUNT_CHANNELS,
]
