/** An operation in derived cases: an example of it, with some values replaced. */

import type { Example, Operation } from '../../contract/operation.ts'
import type { Parameter } from '../../contract/parameters.ts'
import { evidenceIn } from '../answer-content.ts'
import {
  busyTraders,
  filledExample,
  inventoryOf,
  openPositions,
  someCoins,
} from '../example-filler.ts'
import type { Probe } from '../probe.ts'
import type { ProbeExchange, ProbeRequest } from '../probe-request.ts'
import { isJsonObject, isRefused, isSuccess, type JsonObject } from '../responses.ts'
import type { KeyRole } from '../target.ts'

/** Parameters by place; undefined leaves one out. */
interface Given {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

export class TestedOperation {
  constructor(
    readonly probe: Probe,
    readonly operation: Operation,
    /** Changes to the example in all requests. */
    private readonly usual: Given = {},
    /** The base example. */
    private readonly example: Example = operation.examples[0] ?? { name: 'nothing' },
  ) {}

  /** The same with further values. */
  with(given: Given): TestedOperation {
    const { probe, operation, usual, example } = this
    return new TestedOperation(probe, operation, merged(usual, given), example)
  }

  /** The same with a value of a parameter; undefined leaves it out, in all its spellings. */
  withValue({ place, name, schema, of }: Parameter, value: unknown): TestedOperation {
    const others = (schema['x-alias'] as string[] | undefined) ?? []
    const fields = Object.fromEntries([...others.map((other) => [other, undefined]), [name, value]])
    return this.with({ [place]: of?.within === undefined ? fields : { [of.within]: fields } })
  }

  async exchange(): Promise<ProbeExchange> {
    const { operation, probe, usual, example } = this
    const filled = filledExample(operation, example, await inventoryOf(probe)) as Example & Given
    const given = merged(filled, usual)
    const isAsText = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value))
    const query = Object.fromEntries(
      Object.entries(kept(given.query)).map(([name, value]) => [name, isAsText(value)]),
    )
    const body = operation.params.body ? kept(given.body) : undefined
    return probe.request(requestOf(operation, { path: given.path ?? {}, query, body }))
  }

  /** The data of a success, for a subject known to exist at the target. */
  async served(): Promise<unknown> {
    const exchange = await this.exchange()
    const { id } = this.operation
    this.probe.assert(
      isSuccess(exchange),
      `${id} serves subjects that the target itself lists`,
      exchange,
    )
    return (exchange.json as JsonObject).data
  }

  /**
   * The data of a success; a subject unknown to the target skips the case. It is known where
   * another form of the request succeeds.
   */
  async data(same?: TestedOperation): Promise<unknown> {
    const exchange = await this.exchange()
    const { id, refuses } = this.operation
    if (refuses.length > 0 && !isSuccess(exchange) && exchange.status < 500) {
      const isKnown = same !== undefined && isSuccess(await same.exchange())
      this.probe.assert(!isKnown, `${id} refuses what it serves otherwise`, exchange)
      this.probe.skip(`the target does not know the subject (${exchange.status})`)
    }
    this.probe.assert(isSuccess(exchange), `${id} is answered with success`, exchange)
    return (exchange.json as JsonObject).data
  }

  /** The rows of a success: its data, or the first list in it. */
  async rows(same?: TestedOperation): Promise<unknown[]> {
    return rowsIn(await this.data(same))
  }

  /** The rows of a success, each an object. */
  async objects(): Promise<JsonObject[]> {
    return (await this.rows()).filter(isJsonObject)
  }
}

/** The list in data: itself, or the first nested list. */
export function rowsIn(data: unknown): unknown[] {
  if (Array.isArray(data)) return data
  if (!isJsonObject(data)) return []
  const inner = Object.values(data).find((value) => typeof value === 'object' && value !== null)
  return rowsIn(inner)
}

function merged(one: Given, other: Given): Given {
  const given: Given = {}
  for (const place of ['path', 'query', 'body'] as const)
    given[place] = mergedFields(one[place], other[place]) as Record<string, string>
  return given
}

/** Merges fields recursively; those of the other take precedence. */
function mergedFields(one: JsonObject = {}, other: JsonObject = {}): JsonObject {
  const inner = Object.entries(other).map(([name, value]) => {
    const known = one[name]
    return [name, isJsonObject(known) && isJsonObject(value) ? mergedFields(known, value) : value]
  })
  return { ...one, ...Object.fromEntries(inner) }
}

const kept = <T>(fields: Readonly<Record<string, T>> = {}): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

// The request with the most rows, and whether several responses are truncated.

interface Fullest {
  given: Given
  /** Number of rows common to several requests: truncation, as it cannot be chance. */
  ceiling: number | null
}

/** Finds the request with the most rows. */
export const fullest = (
  probe: Probe,
  operation: Operation,
  parameter: Parameter,
): Promise<Fullest> =>
  probe.once(`fullest ${operation.id}`, async (lookup) => {
    const requested = new TestedOperation(lookup, operation, WIDEST[operation.id])
    const max = (parameter.schema['x-cut'] as number | undefined) ?? 1000
    const answers = new Map<string, number>()
    let best: Given = {}
    for (const given of await furtherQuestions(lookup, operation)) {
      const rows = await requested.with(given).withValue(parameter, max).rows()
      if (rows.length > Math.max(-1, ...answers.values())) best = given
      // Requests with the same rows in any order count once.
      answers.set(
        rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join(),
        rows.length,
      )
      if (rows.length >= max) break
    }
    return { given: best, ceiling: ceilingOf([...answers.values()]) }
  })

/** Common length of responses with different rows; null where it may be chance. */
function ceilingOf(lengths: readonly number[]): number | null {
  const most = Math.max(0, ...lengths)
  const alike = lengths.filter((one) => one === most).length
  return (most >= MANY && alike > 1) || (most >= SOME && alike > 2) ? most : null
}

/** Lengths that two, and three, responses do not share by chance. */
const [MANY, SOME] = [100, 20]

/** Further subjects: busy accounts, open positions, coins. */
async function furtherQuestions(probe: Probe, operation: Operation): Promise<Given[]> {
  const { id, path } = operation
  if (path.includes('/current-position-'))
    return (await openPositions(probe)).slice(0, POSITIONS_MAX).map((path) => ({ path }))
  if (path.includes('/completed-position-')) return [{}]
  if (path.includes('/twap-states/'))
    return [(await inventoryOf(probe)).addresses.twap ?? []]
      .flat()
      .map((address) => ({ path: { address } }))
  if (path.includes('/:address')) {
    const traders = (await busyTraders(probe)).slice(0, OTHERS_MAX)
    return [{}, ...traders.map((address) => ({ path: { address } }))]
  }
  if (!OF_COINS.includes(id)) return [{}, ...(OTHERS[id] ?? [])]
  const coins = (await someCoins(probe)).slice(0, COINS_MAX)
  return [{}, ...coins.map((coin) => ({ query: { coin } })), ...(OTHERS[id] ?? [])]
}

/** Lists of single events of a coin: series of two coins may be equally long by age. */
const OF_COINS: readonly string[] = [
  ...['perpdex.fillsOfBuilder', 'perpdex.topTrades', 'perpdex.topOpenOrders'],
  'perpdex.liquidationsTopPositions',
]

const intervals = (...all: readonly string[]): readonly Given[] =>
  all.map((interval) => ({ query: { interval } }))

/** Other sort orders and steps, which return other rows. */
const OTHERS: Readonly<Record<string, readonly Given[]>> = {
  'perpdex.liquidationsHistory': intervals('15m', '30m', '1h'),
  'perpdex.whaleLongRatios': intervals('1h', '4h'),
  'perpdex.whalePositions': ['margin-balance', 'create-time', 'profit', 'loss'].map((topBy) => ({
    query: { topBy },
  })),
}

/** Maximum number of coins. */
const COINS_MAX = 4

/** Maximum number of accounts and positions searched for long lists. */
const [OTHERS_MAX, POSITIONS_MAX] = [12, 20]

/** Parts that the first example would leave out. */
export const WIDEST: Readonly<Record<string, Given>> = {
  'futures.coinMarginInterestHistory': { query: { interval: '1m' } },
  'futures.stablecoinInterestHistory': { query: { interval: '1m' } },
  'futures.fundingRateHistory': { query: { interval: '1m' } },
  'futures.weightedFundingRateHistory': { query: { interval: '1m' } },
  'futures.liquidationHistory': { query: { interval: '1m' } },
  'futures.estimatedLiquidationHistory': { query: { leverage: '10' } },
  'indicator.klines': { query: { period: '60' } },
  'indicator.records': { query: { period: '60' } },
  'perpdex.klinesWithTakerVol': { path: { interval: '5m' } },
  'perpdex.topTrades': { query: { interval: '7d' } },
  'perpdex.liquidationsTopPositions': { query: { interval: '60d' } },
  'perpdex.liquidationsHistory': { query: { interval: '5m', coin: undefined } },
  'perpdex.bestTrades': { query: { period: 0 } },
  'perpdex.performanceByCoin': { query: { period: 0 } },
  'perpdex.whaleLongRatios': { query: { interval: '10m' } },
  'perpdex.currentPositionPnl': { query: { interval: '15m' } },
  'perpdex.currentPositionExecutions': { query: { interval: '15m' } },
  'perpdex.completedPositionPnl': { query: { interval: '15m' } },
  'perpdex.completedPositionExecutions': { query: { interval: '15m' } },
  'stock.topGainer': { query: { us_stock: undefined } },
  'stock.topGainerByPost': { body: { hk_stock: undefined } },
}

// Requests built from declarations.

/** An example with subjects of the target: the first of each, or others. */
export async function exampleRequest(
  probe: Probe,
  operation: Operation,
  example: Example = NO_EXAMPLE,
  nth = 0,
): Promise<ReplayRequest> {
  return requestOf(operation, filledExample(operation, example, await inventoryOf(probe), nth))
}

type ReplayRequest = ProbeRequest & { query: Record<string, string>; body?: unknown }

/** A request with these parameters, signed by a key that may call the operation. */
function requestOf<Q>(
  operation: Operation,
  given: { path?: Record<string, string>; query?: Q; body?: unknown },
) {
  const { path = {}, query = {}, body } = given
  return {
    method: operation.method,
    path: operation.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(path[name] ?? 'x')),
    query: query as Q & Record<string, string>,
    signedBy: callerOf(operation),
    ...(body === undefined ? {} : { body }),
  }
}

/** An example with each subject in turn, each request once. */
export async function exampleRequests(
  probe: Probe,
  operation: Operation,
  example: Example,
  count: number,
): Promise<ExampleRequest[]> {
  const made = new Map<string, ExampleRequest>()
  for (let nth = 0; nth < count; nth++) {
    const request = await exampleRequest(probe, operation, example, nth)
    made.set(JSON.stringify(request), request)
  }
  return [...made.values()]
}

/** The request of an operation's first example, about a subject with data where possible. */
export const firstExampleRequest = (probe: Probe, operation: Operation): Promise<ExampleRequest> =>
  probe.once(`the request of ${operation.id}`, (lookup) => requestWithData(lookup, operation))

async function requestWithData(probe: Probe, operation: Operation): Promise<ExampleRequest> {
  const [example = NO_EXAMPLE] = operation.examples
  const requests = await exampleRequests(probe, operation, example, TRIES)
  const isFound = requests.length === 1 || !isSafeToCall(operation)
  if (isFound) return requests[0] as ExampleRequest
  for (const request of requests) {
    const { status, json } = await probe.request({ ...request, allowRateLimit: true })
    if (evidenceIn(status, json) === 'values') return request
  }
  return requests[0] as ExampleRequest
}

/**
 * Whether an operation answers an authorised key: only then its refusals of others are meaningful.
 * Operations with changes are not tried.
 */
export const isServed = (probe: Probe, operation: Operation): Promise<boolean> =>
  probe.once(`whether ${operation.id} is served`, (lookup) => trySigned(lookup, operation))

async function trySigned(probe: Probe, operation: Operation): Promise<boolean> {
  const who = callerOf(operation)
  if (!isSafeToCall(operation) || probe.target.keys[who] === undefined) return true
  const request = await firstExampleRequest(probe, operation)
  const exchange = await probe.request({ ...request, allowRateLimit: true })
  return exchange.status !== 403 && !isRefused(exchange, '401')
}

/** Maximum number of subjects tried for data. */
export const TRIES = 16

type ExampleRequest = Awaited<ReturnType<typeof exampleRequest>>

const NO_EXAMPLE: Example = { name: 'nothing' }

/** Role that may call it. */
export const callerOf = ({ access }: Operation): KeyRole =>
  access.kind === 'distributor' ? 'partner' : 'full'

/** Operations that a run may call freely. */
export const isSafeToCall = ({ changes, profile, servedWhen }: Operation): boolean =>
  !profile && !servedWhen && !changes
