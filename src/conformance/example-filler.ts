/** Fills the contract's examples with subjects of a world. */

import { type CastList, meaningOf } from '../contract/meaning.ts'
import type { Example, Operation } from '../contract/operation.ts'
import { parametersOf } from '../contract/parameters.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import type { Probe } from './probe.ts'
import { isJsonObject, type JsonObject, objectsOf } from './responses.ts'

/** The used part of a sandbox's cast. */
export interface TargetInventory {
  addresses: Record<string, string | readonly string[] | null>
  oids: { filled: readonly number[] }
  twapIds: number[]
  builders: string[]
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
  /** Further accounts for examples. */
  people?: readonly string[]
  /** Further coins for examples. */
  coins?: readonly string[]
}

/** Placeholder address in examples. */
export const PLACEHOLDER_ADDRESS = '0x0000000000000000000000000000000000000001'

/**
 * An example ready to request: each parameter's schema names its list of values.
 *
 * @param nth index of the values; 0 for the example itself
 */
export function filledExample(
  operation: Operation,
  example: Example,
  known: TargetInventory,
  nth = 0,
): Example {
  const holder = castValue(known, 'openPositions.address', nth) ?? PLACEHOLDER_ADDRESS
  const someAddress = String((nth === 0 ? undefined : known.people?.[nth - 1]) ?? holder)
  const request = JSON.parse(
    JSON.stringify(example).replaceAll(PLACEHOLDER_ADDRESS, someAddress),
  ) as Example
  for (const { place, name, schema } of parametersOf(operation)) {
    const texts = place === 'body' ? undefined : request[place]
    const list = schema['x-cast'] as CastList | undefined
    if (texts?.[name] === undefined) continue
    if (list !== undefined) texts[name] = String(castValue(known, list, nth) ?? texts[name])
    else if (nth > 0 && meaningOf(schema) === 'coin')
      texts[name] = known.coins?.[(nth - 1) % known.coins.length] ?? texts[name]
  }
  return request
}

/** A value of a cast list; null or undefined for none. */
function castValue(known: TargetInventory, list: CastList, nth: number): unknown {
  const [name, part = ''] = list.split('.') as [keyof TargetInventory, string | undefined]
  const entries = known[name]
  const found = Array.isArray(entries) ? at(entries, nth) : entries
  const value = part === '' ? found : (found as Record<string, unknown> | undefined)?.[part]
  return Array.isArray(value) ? at(value, nth) : value
}

const at = (values: readonly unknown[], nth: number): unknown => values[nth % values.length]

// Accounts and coins of the target, from its own lists.

/** A frequently traded coin: BTC where it exists. */
export async function someCoin(probe: Probe): Promise<string> {
  return (await someCoins(probe))[0] as string
}

/** Coins of the venue, the best known first. */
export const someCoins = (probe: Probe): Promise<string[]> => probe.once('coins', readCoins)

async function readCoins(probe: Probe): Promise<string[]> {
  const tickers = await objectsOf(probe, { path: '/hl/tickers' })
  const coins = tickers.map(({ coin }) => String(coin))
  const known = ['BTC', 'ETH', 'SOL'].filter((coin) => coins.includes(coin))
  const reported = probe.target.inventory?.first?.coins ?? []
  const found = [...new Set([...reported, ...known, ...coins])]
  if (found.length === 0) probe.skip('the target lists no coin')
  return found
}

/** A pair known to depth and histories: `symbol:exchange`. */
export const somePair = (probe: Probe): Promise<string> => probe.once('pair', readPair)

async function readPair(probe: Probe): Promise<string> {
  const [reported] = probe.target.inventory?.first?.symbols ?? []
  if (reported !== undefined) return reported
  const query = { coinType: 'bitcoin', indicator_key: 'fundflow' }
  const { json } = await probe.request({ path: '/indicatorKline/getTradingPair', query })
  const data = isJsonObject(json) && isJsonObject(json.data) ? json.data.list : undefined
  const keys = (Array.isArray(data) ? data : []).map(pairKey)
  return keys.find((key) => key === DEFAULT_PAIR) ?? keys[0] ?? DEFAULT_PAIR
}

/** `symbol:exchange` of a trading pair, in any of its forms (open). */
export function pairKey(pair: unknown): string {
  const texts = Array.isArray(pair) ? pair.map(String) : []
  return texts.find((text) => text.includes(':')) ?? texts.join(':')
}

const DEFAULT_PAIR = 'btcswapusdt:binance'

/** Accounts that trade now, then the busiest, then those of large trades. */
export const someTraders = (probe: Probe): Promise<string[]> => probe.once('traders', readTraders)

async function readTraders(probe: Probe): Promise<string[]> {
  const query = { coin: await someCoin(probe), interval: '1d', limit: LARGEST }
  const rows = [
    ...(await firstBy(probe, 'oaLastOrderAt')),
    ...(await firstBy(probe, 'positionCount')),
    ...(await objectsOf(probe, { path: '/hl/fills/top-trades', query })),
  ]
  const addresses = [...new Set(rows.map(({ address }) => String(address)))]
  if (addresses.length === 0) probe.skip('no account has traded within a day')
  return addresses.slice(0, ADDRESSES_MAX)
}

/** Busy accounts, those with the most closed positions first. */
export const busyTraders = (probe: Probe): Promise<string[]> =>
  probe.once('busy traders', async (lookup) => {
    const found = (await firstBy(lookup, 'positionCount')).map(({ address }) => String(address))
    return [...new Set([...found, ...(await someTraders(lookup))])]
  })

/** Numbers from each list, and the total: the size of a batch. */
const [FOUND, LARGEST, ADDRESSES_MAX] = [20, 50, 50]

/** Traders found by a search, the greatest of a column first; none where it is refused. */
async function firstBy(probe: Probe, field: string): Promise<JsonObject[]> {
  const body = { period: 7, sort: { field, dir: 'desc' }, pageSize: FOUND }
  const { json } = await probe.request({ method: 'POST', path: '/hl/traders/discover', body })
  const list = isJsonObject(json) && isJsonObject(json.data) ? json.data.list : undefined
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Account states of the main dex. */
export const accountStatesOf = (
  probe: Probe,
  addresses: readonly string[],
): Promise<JsonObject[]> =>
  objectsOf(probe, {
    method: 'POST',
    path: '/hl/traders/clearinghouse-state',
    body: { addresses },
  })

/** The positions in an account state. */
export function positionsIn(row: JsonObject): JsonObject[] {
  const held = isJsonObject(row.state) ? row.state.assetPositions : undefined
  return (Array.isArray(held) ? held : []).flatMap((one) =>
    isJsonObject(one) && isJsonObject(one.position) ? [one.position] : [],
  )
}

/** Its key in a path. */
export type OpenPosition = { address: string; coin: string }

/** An open position of a busy account. */
export async function someOpenPosition(probe: Probe): Promise<OpenPosition> {
  return (await openPositions(probe))[0] as OpenPosition
}

/** Open positions of busy accounts, the first of each account before the others. */
export const openPositions = (probe: Probe): Promise<OpenPosition[]> =>
  probe.once('open positions', readOpenPositions)

async function readOpenPositions(probe: Probe): Promise<OpenPosition[]> {
  const states = await accountStatesOf(probe, await busyTraders(probe))
  const held = states.map((row) =>
    positionsIn(row).map(({ coin }) => ({ address: String(row.address), coin: String(coin) })),
  )
  return inTurns(held) ?? probe.skip('none of the latest traders holds a position')
}

/** Interleaves lists; null when all are empty. */
function inTurns<T>(lists: readonly T[][]): T[] | null {
  const taken = [...lists.flatMap((of) => of.slice(0, 1)), ...lists.flatMap((of) => of.slice(1))]
  return taken.length > 0 ? taken : null
}

export interface ClosedPosition extends OpenPosition {
  openTime: number
  closeTime: number
}

/** A closed position: among those of some accounts, the longest. */
export async function someClosedPosition(probe: Probe): Promise<ClosedPosition> {
  return (await closedPositions(probe))[0] as ClosedPosition
}

/** Closed positions of some accounts: the longest of each first, then others. */
const closedPositions = (probe: Probe): Promise<ClosedPosition[]> =>
  probe.once('closed positions', readClosedPositions)

async function readClosedPositions(probe: Probe): Promise<ClosedPosition[]> {
  const found: ClosedPosition[][] = []
  for (const address of (await busyTraders(probe)).slice(0, 10)) {
    const path = `/hl/traders/${address}/completed-trades`
    const rows = await objectsOf(probe, { path, query: { limit: 500 } })
    const closed = rows.map(({ coin, openTime, closeTime }) => {
      const times = { openTime: Number(openTime), closeTime: Number(closeTime) }
      return { address, coin: String(coin), ...times }
    })
    if (closed.length > 0) found.push(closed.sort(longestFirst).slice(0, EACH))
    if (found.length === ACCOUNTS) break
  }
  found.sort(([one], [other]) => longestFirst(one as ClosedPosition, other as ClosedPosition))
  return inTurns(found) ?? probe.skip('none of the latest traders has closed a position')
}

/** Maximum number of accounts, and of positions of each. */
const [ACCOUNTS, EACH] = [5, 5]

const longestFirst = (one: ClosedPosition, other: ClosedPosition) =>
  other.closeTime - other.openTime - (one.closeTime - one.openTime)

/** Latest orders of an account, more than one. */
export async function someOrders(
  probe: Probe,
  kind: 'orders' | 'filled-orders',
): Promise<JsonObject[]> {
  for (const address of (await someTraders(probe)).slice(0, 10)) {
    const path = `/hl/${kind}/${address}/latest`
    const orders = await objectsOf(probe.lookup, { path, query: { limit: 200 } })
    if (orders.length > 1) return orders.map(flatOrder)
  }
  probe.skip('none of the latest traders has orders')
}

/** An order in either of its two forms (open), flattened. */
export function flatOrder(row: JsonObject): JsonObject {
  if (!isJsonObject(row.order)) return row
  return { ...row.order, status: row.status, time: row.statusTimestamp }
}

/** An unused address. */
export const UNUSED_ADDRESS = '0x000000000000000000000000000000000000dead'

// Subjects of the declarations' examples, from the target's own lists.

/** The same for all cases of a run; missing ones are left out. */
export const inventoryOf = (probe: Probe): Promise<TargetInventory> =>
  probe.once('inventory', readInventory)

async function readInventory(probe: Probe): Promise<TargetInventory> {
  const holding = (await orNull(() => openPositions(probe))) ?? []
  const closed = (await orNull(() => closedPositions(probe))) ?? []
  const filled = (await orNull(() => someOrders(probe, 'filled-orders'))) ?? []
  const ended = (await orNull(() => someOrders(probe, 'orders'))) ?? []
  const path = '/hl/twaps/top-impact'
  const twaps = (await orNull(() => objectsOf(probe, { path, query: { limit: 100 } }))) ?? []
  const reported = probe.target.inventory ?? {}
  const running = twaps.map(({ address }) => String(address))
  const coins = (await orNull(() => someCoins(probe))) ?? []
  const people = [
    ...Object.values(reported.personas ?? {}).map(({ address }) => address),
    ...Object.values(reported.addresses ?? {}).flatMap((address) => address ?? []),
    ...((await orNull(() => someTraders(probe))) ?? []),
  ]
  return {
    people: people.slice(0, FILLINGS_MAX),
    addresses: {
      twap: orUnused([...running, ...people, ...holding.map(({ address }) => address)]),
    },
    oids: {
      filled: [
        ...new Set([
          ...(reported.first?.orders ?? []),
          ...oidsOf(filled, ended),
          ...(await reportedOids(probe)),
        ]),
      ],
    },
    twapIds: [...idsIn(twaps, 'twapId'), ...(reported.twapIds ?? [])],
    builders: [...(reported.builders ?? [])],
    openPositions: holding.slice(0, FILLINGS_MAX),
    completedPositions: closed.slice(0, FILLINGS_MAX),
    coins,
  }
}

/** Maximum number of values of a parameter. */
const FILLINGS_MAX = 24

/** Filled orders first, then one of each other status. */
function oidsOf(filled: readonly JsonObject[], ended: readonly JsonObject[]): number[] {
  const others = new Map(ended.map((row) => [`${row.status} ${row.side}`, row]))
  return idsIn([...filled.slice(0, 3), ...others.values(), ...filled.slice(3, 8)], 'oid')
}

/** Orders of listed accounts: filled ones of each role, and some open ones. */
async function reportedOids(probe: Probe): Promise<number[]> {
  const { oids, addresses } = probe.target.inventory ?? {}
  const found: number[][] = []
  for (const address of Object.values(addresses ?? {})) {
    const path = `/hl/filled-orders/${address}/latest`
    const rows = (await orNull(() => objectsOf(probe, { path, query: { limit: 5 } }))) ?? []
    found.push(idsIn(rows.map(flatOrder), 'oid'))
  }
  const inTurn = [0, 1, 2, 3, 4].flatMap((at) => found.flatMap((of) => of.slice(at, at + 1)))
  return [...inTurn.slice(0, 3), ...(oids?.open ?? []).slice(0, 2), ...inTurn.slice(3)]
}

const idsIn = (rows: readonly JsonObject[], name: string): number[] =>
  rows.flatMap((row) => (row[name] === undefined ? [] : [Number(row[name])]))

const orUnused = (addresses: readonly string[]): readonly string[] =>
  addresses.length > 0 ? [...new Set(addresses)].slice(0, FILLINGS_MAX) : [UNUSED_ADDRESS]

/** null for what the target does not have; flaws of its lists are judged by other cases. */
async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof SkipCase || error instanceof CheckFailure) return null
    throw error
  }
}
