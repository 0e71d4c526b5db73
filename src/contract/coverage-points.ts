/**
 * The points of the contract that a client can meet: operations, parameters, caps, refusals,
 * channels and transitions, each with an id. Sandboxes count them, and reports name them.
 */

import { CHANNELS, OPERATIONS } from './catalogue.ts'
import type { Channel } from './channel.ts'
import type { Operation } from './operation.ts'
import { parameterFields } from './parameter-reader.ts'
import type { RefusalName } from './refusal.ts'
import { hasBasis } from './refusal-basis.ts'
import type { TSchema } from './schema.ts'

/** All kinds of points; scenarios are those of the library, which the contract does not know. */
export const POINT_KINDS = [
  'operation',
  'parameter',
  'cap',
  'refusal',
  'channel',
  'transition',
  'scenario',
] as const
export type PointKind = (typeof POINT_KINDS)[number]

/** What shows whether a client has handled a point. */
export type Evidence =
  /** What the client did next. */
  | 'sequel'
  /** A claim of it. */
  | 'claim'

/** A point of the contract. */
export interface CoveragePoint {
  /** `cap:perpdex.topTrades:limit`: kind, subject and detail. */
  id: string
  kind: PointKind
  /** Group of the operation, `sockets`, `scenarios`, or `all` for what holds for every request. */
  group: string
  text: string
  /** null where nothing does. */
  evidence: Evidence | null
}

const framesOf = (id: string): string[] => [
  `channel:${id}`,
  `channel:${id}:snapshot`,
  `channel:${id}:push`,
]

const OFFICIAL = CHANNELS.filter(({ dialect }) => dialect.name === 'official')

/** Answers to commands of the official dialect. */
const STATUSES = ['subscribed', 'alreadySubscribed', 'unsubscribed', 'notSubscribed'] as const

/** By the kind of a claim: the points that a true one shows to be handled, if they were met. */
export const CLAIM_POINTS: Readonly<Record<string, readonly string[]>> = {
  book: [...framesOf('l2Book'), ...framesOf('bbo')],
  candle: framesOf('candle'),
  fills: [
    ...framesOf('userFills'),
    ...framesOf('addressFills'),
    'operation:perpdex.fillsOfAddress',
    'operation:perpdex.info:userFills',
    'operation:perpdex.info:userFillsByTime',
  ],
  position: [
    ...framesOf('clearinghouseState'),
    ...framesOf('addressClearinghouseState'),
    'operation:perpdex.info:clearinghouseState',
    'operation:perpdex.tradersClearinghouseState',
  ],
  stale: OFFICIAL.flatMap(({ id }) => [`channel:${id}:stale`, `channel:${id}:repeated`]),
  subscribed: OFFICIAL.flatMap(({ id }) => STATUSES.map((status) => `transition:${id}:${status}`)),
}

const CLAIMED: ReadonlySet<string> = new Set(Object.values(CLAIM_POINTS).flat())

/** Refusals that are the same for every signed request. */
const EVERYWHERE = {
  signature: 'a request with an invalid signature is refused',
  rate: 'a request above the rate of its key is refused',
  quota: 'a request above the monthly quota of its key is refused',
  timeRange: 'a time range above that of the level is refused',
  connections: 'a connection above the limit of its key is refused',
} as const satisfies Partial<Record<RefusalName, string>>

/** Whether a refusal is one point for all operations. */
export const isEverywhere = (name: string): boolean => name in EVERYWHERE

/** All points of operations and channels, in the order of the contract. */
export function contractPoints(): readonly CoveragePoint[] {
  points ??= [
    ...Object.entries(EVERYWHERE).map(([name, text]) =>
      pointOf(`refusal:any:${name}`, 'all', text),
    ),
    ...OPERATIONS.flatMap(operationPoints),
    ...CHANNELS.flatMap(channelPoints),
    ...[...Map.groupBy(CHANNELS, ({ dialect }) => dialect.path)].flatMap(socketPoints),
    ...STATE_POINTS,
  ]
  return points
}

let points: readonly CoveragePoint[] | null = null

/** The point of a scenario of the library. */
export const scenarioPoint = (name: string): CoveragePoint =>
  pointOf(`scenario:${name}`, 'scenarios', `scenario ${name} acts`)

/** The ids of a pattern, in which `*` stands for anything. */
export function pointsMatching(pattern: string): string[] {
  ids ??= new Set(contractPoints().map(({ id }) => id))
  if (!pattern.includes('*')) return ids.has(pattern) ? [pattern] : []
  const parts = pattern.split('*').map((part) => part.replace(/[.:/]/g, '\\$&'))
  const form = new RegExp(`^${parts.join('.*')}$`)
  return [...ids].filter((id) => form.test(id))
}

let ids: ReadonlySet<string> | null = null

function pointOf(id: string, group: string, text: string): CoveragePoint {
  const kind = id.slice(0, id.indexOf(':')) as PointKind
  const hasSequel = kind === 'refusal' || kind === 'scenario' || SETTLED.test(id)
  return {
    id,
    kind,
    group,
    text,
    evidence: hasSequel ? 'sequel' : CLAIMED.has(id) ? 'claim' : null,
  }
}

/** A lost connection is handled when the client has its subscriptions again. */
const SETTLED = /^transition:.*:(idle|closedByServer)$/

function operationPoints(operation: Operation): CoveragePoint[] {
  const { id, method, path, params, bodies, data, refuses, access } = operation
  const group = id.slice(0, id.indexOf('.'))
  const point = (kind: PointKind, detail: string, text: string) =>
    pointOf(`${kind}:${id}${detail}`, group, `${method} ${path} ${text}`)
  const fields = [params.path, params.query, params.body].flatMap((schema) =>
    schema?.type === 'object' ? parameterFields(schema as never) : [],
  )
  const answers = [
    point('operation', '', 'is answered'),
    ...(isNullable(data) ? [point('operation', ':null', 'is answered with null data')] : []),
    ...(id === EMPTY_DEPTH ? [point('operation', ':empty', 'is answered without levels')] : []),
    ...[...(bodies?.keys() ?? [])].map((type) =>
      point('operation', `:${type}`, `of type ${type} is answered`),
    ),
  ]
  const refusals = [
    ...(access.kind === 'permission' || access.kind === 'distributor'
      ? [point('refusal', ':permission', 'is refused to a key without its permission')]
      : []),
    ...requiredOf(operation).map((name) =>
      point('refusal', `:missing:${name}`, `is refused without ${name}`),
    ),
    ...(fields.some(({ schema }) => mayBeInvalid(schema)) || refuses.includes('invalid')
      ? [point('refusal', ':invalid', 'is refused with an invalid value')]
      : []),
    ...[...new Set(refuses)]
      .filter((name) => name !== 'missing' && name !== 'invalid' && hasBasis(name))
      .map((name) => point('refusal', `:${name}`, `is refused: ${REFUSED[name] ?? name}`)),
  ]
  return [
    ...answers,
    ...fields.map(({ name }) => point('parameter', `:${name}`, `is answered with ${name}`)),
    ...fields
      .filter(({ required }) => !required)
      .map(({ name }) => point('parameter', `:${name}:absent`, `is answered without ${name}`)),
    ...fields
      .filter(({ schema }) => schema['x-cut'] !== undefined)
      .map(({ name, schema }) =>
        point('cap', `:${name}`, `cuts ${name} above ${schema['x-cut']} silently`),
      ),
    ...refusals,
  ]
}

const isNullable = ({ anyOf = [] }: TSchema): boolean =>
  (anyOf as TSchema[]).some(({ type }) => type === 'null')

/** The operation of which an empty answer is a sentence of the contract. */
export const EMPTY_DEPTH = 'futures.latestDepth'

/** Parameters whose absence is refused: required ones, and those that the answer itself needs. */
function requiredOf({ params, refuses }: Operation): string[] {
  const schemas = [params.query, params.body].filter((schema) => schema?.type === 'object')
  const fields = schemas.flatMap((schema) => parameterFields(schema as never))
  const mayMiss = refuses.includes('missing')
  return fields
    .filter(({ required, name }) => required || (mayMiss && NEEDED.has(name)))
    .map(({ name }) => name)
}

/** Parameters that are needed under some answers to the open questions. */
const NEEDED: ReadonlySet<string> = new Set(['interval', 'startTime', 'days', 'period'])

/** Plain texts are always valid. */
const mayBeInvalid = ({ type, pattern, minLength, enum: words }: TSchema): boolean =>
  type !== 'string' || pattern !== undefined || minLength !== undefined || words !== undefined

const REFUSED: Partial<Record<RefusalName, string>> = {
  symbol: 'the symbol is unknown',
  bitcoinOnly: 'only bitcoin is served',
  position: 'there is no such position',
  news: 'there is no such news',
  index: 'there is no such index',
  alert: 'the alert cannot be set',
  alertAbsent: 'there is no such alert',
  infoType: 'the type is unknown',
  invite: 'the invite token is invalid or consumed',
  resourceType: 'resource_type is not perpdex',
  action: 'the action is unknown',
  level: 'there is no such level',
}

function channelPoints(channel: Channel): CoveragePoint[] {
  const { id, dialect, pushPolicy, subscription, key } = channel
  const point = (kind: PointKind, detail: string, text: string) =>
    pointOf(`${kind}:${id}${detail}`, 'sockets', `${id} of ${dialect.path} ${text}`)
  const optional = parameterFields(subscription).filter(
    ({ name, required }) => !required && !(dialect.name === 'addresses' && name === 'dex'),
  )
  const transitions =
    dialect.name === 'official' ? STATUSES : (['added', 'repeated', 'removed'] as const)
  return [
    point('channel', '', 'is subscribed to'),
    ...(dialect.name === 'official'
      ? [point('channel', ':snapshot', 'sends a snapshot first')]
      : []),
    point('channel', ':push', 'pushes'),
    ...(pushPolicy.stateOf
      ? [
          point('channel', ':repeated', 'sends its last state again when it is silent'),
          point('channel', ':stale', 'is marked as stale when it has expired'),
        ]
      : []),
    ...optional.map(({ name }) => point('parameter', `:${name}`, `is subscribed to with ${name}`)),
    ...(key.includes('interval') ? intervalPoints(channel) : []),
    ...transitions.map((status) => point('transition', `:${status}`, `is answered ${status}`)),
  ]
}

/** Each interval of candles has a point. */
const intervalPoints = ({ id, subscription }: Channel): CoveragePoint[] =>
  wordsOf(subscription.properties.interval as TSchema).map((word) =>
    pointOf(`parameter:${id}:interval=${word}`, 'sockets', `${id} is subscribed to by ${word}`),
  )

const wordsOf = ({ enum: words = [] }: TSchema): string[] => (words as unknown[]).map(String)

function socketPoints([path, channels]: [string, readonly Channel[]]): CoveragePoint[] {
  const isOfficial = channels[0]?.dialect.name === 'official'
  const point = (kind: PointKind, detail: string, text: string) =>
    pointOf(`${kind}:${path}:${detail}`, 'sockets', `${path} ${text}`)
  return [
    point('transition', 'opened', 'is opened with a signature'),
    point('transition', 'ping', 'answers a ping'),
    point('transition', 'idle', 'is closed after 60 s without a message of the client'),
    point('transition', 'closedByServer', 'is closed by the server or lost'),
    point('transition', 'closedByClient', 'is closed by the client'),
    ...(isOfficial
      ? []
      : [
          point('transition', 'stat', 'answers stat'),
          point('transition', 'close', 'is closed by a message of type close'),
        ]),
    point('refusal', 'permission', 'is refused to a key without its permission'),
    point('refusal', 'subscription', 'refuses a subscription that it does not have'),
    point('refusal', 'frame', 'answers a frame that it cannot read with an error'),
  ]
}

const STATE_POINTS: readonly CoveragePoint[] = [
  pointOf('transition:level:made', 'distributor', 'a PUT makes a level'),
  pointOf('transition:level:replaced', 'distributor', 'a PUT replaces a level'),
  pointOf('transition:level:deleted', 'distributor', 'a DELETE removes a level'),
  pointOf('transition:invite:consumed', 'distributor', 'an invite token makes a distributor'),
  pointOf('transition:alert:added', 'signal', 'an alert is added'),
  pointOf('transition:alert:deleted', 'signal', 'an alert is deleted'),
]
