/**
 * Effects of a parameter's value on a response. Every parameter of every operation has an entry in
 * a table: an effect checked by a derived case, the handwritten case that checks it, or the reason
 * why it is not observable.
 */

import { fullName, type Parameter } from '../../contract/parameters.ts'
import type { TestedOperation } from '../derived/tested-operation.ts'
import {
  accountStatesOf,
  busyTraders,
  inventoryOf,
  pairKey,
  positionsIn,
  someCoins,
  somePair,
  someTraders,
} from '../example-filler.ts'
import type { Probe } from '../probe.ts'
import { dataOf, isJsonObject, type JsonObject, objectsOf } from '../responses.ts'

/** Checks the effect: throws like every case. */
export type Effect = (requested: TestedOperation, parameter: Parameter) => Promise<void>

export type EffectEntry =
  | { effect: Effect; checks?: readonly string[] }
  /** Checked with every listed value of the contract. */
  | { listed: Effect; checks?: readonly string[] }
  | { caseId: string }
  /** Number of rows: `limits.*` of the same operation. */
  | { counted: true }
  | { reason: string }

/** Entries by operation and parameter. */
export type EffectTable = Readonly<Record<string, Readonly<Record<string, EffectEntry>>>>

/** Values to request, or a way to find some at the target. */
export type Values = readonly unknown[] | ((probe: Probe) => Promise<readonly unknown[]>)

export const valuesOf = async (values: Values, { probe }: TestedOperation) =>
  typeof values === 'function' ? values(probe) : values

/** A column, or a function of a row. */
export type Pick = string | ((row: JsonObject) => unknown)

export const picked = (pick: Pick, row: JsonObject): unknown =>
  typeof pick === 'string' ? row[pick] : pick(row)

/** The rows of a list or a page; else the record itself. */
export function recordsIn(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return data.filter(isJsonObject)
  if (!isJsonObject(data)) return []
  return Array.isArray(data.list) ? data.list.filter(isJsonObject) : [data]
}

/** `perpdex.fillsOfAddress with coin=BTC`. */
export const nameOf = ({ operation }: TestedOperation, parameter: Parameter, value: unknown) => {
  const text = typeof value === 'object' ? JSON.stringify(value) : value
  return `${operation.id} with ${fullName(parameter)}=${text}`
}

/** Whether data is empty: no rows, null, or all numbers zero. */
export function isNothing(data: unknown): boolean {
  if (Array.isArray(data)) return data.every(isNothing)
  if (isJsonObject(data)) return Object.values(data).every(isNothing)
  return data === null || data === undefined || data === '' || Number(data) === 0
}

// Values to choose between, from the target's own lists: two of each where possible.

export const twoCoins = async (probe: Probe) => (await someCoins(probe)).slice(0, 2)

export const twoTraders = async (probe: Probe) => (await busyTraders(probe)).slice(0, 2)

/** Each as a batch of its own. */
export const twoBatches = async (probe: Probe) => (await twoTraders(probe)).map((one) => [one])

/** As many accounts as the smallest batches allow. */
export const manyTraders = async (probe: Probe) => (await busyTraders(probe)).slice(0, 20)

/** Pairs of different coins on the same exchange, where possible. */
export const twoPairs = (probe: Probe): Promise<string[]> =>
  probe.once('two pairs', async (lookup) => {
    const first = await somePair(lookup)
    const query = { coinType: 'ethereum', indicator_key: 'fundflow' }
    const list = await objectOrList(lookup, '/indicatorKline/getTradingPair', query)
    const keys = list.map(pairKey).filter((key) => key !== first)
    const exchange = first.split(':')[1] ?? ''
    const second = keys.find((key) => key.endsWith(`:${exchange}`)) ?? keys[0]
    return second === undefined ? [first] : [first, second]
  })

/** The same without their exchange. */
export const twoSymbols = async (probe: Probe) =>
  (await twoPairs(probe)).map((pair) => pair.split(':')[0])

export const someOids = async (probe: Probe) =>
  [...new Set((await inventoryOf(probe)).oids.filled)].slice(0, 2)

export const someTwapIds = async (probe: Probe) => (await inventoryOf(probe)).twapIds.slice(0, 2)

export const someBuilders = async (probe: Probe) => (await inventoryOf(probe)).builders.slice(0, 2)

/** Accounts that have a TWAP. */
export const someTwapAddresses = async (probe: Probe) => {
  const rows = await objectsOf(probe, { path: '/hl/twaps/top-impact', query: { limit: 100 } })
  return [...new Set(rows.map(({ address }) => String(address)))].slice(0, 2)
}

/** Accounts with large orders in books of the main dex. */
export const someResting = async (probe: Probe) => {
  const query = { limit: 20 }
  const all = await objectsOf(probe, { path: '/hl/orders/top-open-orders', query })
  const rows = all.filter(({ coin }) => !/[:@/]/.test(String(coin)))
  return [...new Set(rows.map(({ address }) => String(address)))].slice(0, 5)
}

/** Accounts with spot balances. */
export const someSpotHolders = async (probe: Probe) => {
  const body = { addresses: await someTraders(probe) }
  const rows = await objectsOf(probe, { method: 'POST', path: '/hl/traders/accounts', body })
  const holders = rows.filter(({ spotValue }) => Number(spotValue) > 0)
  return holders.map(({ address }) => String(address)).slice(0, 5)
}

export const someNewsIds = async (probe: Probe) => {
  const query = { page: 1, pageSize: 2 }
  const rows = await objectsOf(probe, { path: '/content/news-list', query })
  return rows.map(({ id }) => Number(id))
}

export const someIndexKeys = async (probe: Probe) =>
  (await objectsOf(probe, { path: '/index/getIndex' }, 'list')).map(({ key }) => String(key))

export const someDistributorLevels = async (probe: Probe) => {
  const levels = await dataOf(probe, { path: '/distributor/levels', signedBy: 'partner' })
  return Array.isArray(levels) ? levels.slice(0, 2).map(String) : []
}

/** Tags that traders have. */
export const someTags = async (probe: Probe) => {
  const body = { pageSize: 25, loadTags: true, selects: ['tags'] }
  const rows = await objectsOf(probe, { method: 'POST', path: DISCOVER, body }, 'list')
  return [...new Set(rows.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : [])))]
}

/** Dexes that builders run. */
export async function builderDexes(probe: Probe): Promise<string[]> {
  const body = { type: 'perpDexs' }
  const data = await dataOf(probe, { method: 'POST', path: '/hl/info', body })
  const names = (Array.isArray(data) ? data : [])
    .filter(isJsonObject)
    .map(({ name }) => String(name))
  if (names.length === 0) probe.skip('there are no builder dexes')
  return names
}

const DISCOVER = '/hl/traders/discover'

export interface HeldPosition {
  address: string
  coin: string
}

/** Open positions in two coins, of two accounts where possible. */
export const twoOpenPositions = async (probe: Probe): Promise<HeldPosition[]> => {
  const found: HeldPosition[] = []
  for (const row of await accountStatesOf(probe, await busyTraders(probe))) {
    const coins = positionsIn(row).map(({ coin }) => String(coin))
    const coin = coins.find((one) => found.every((held) => held.coin !== one)) ?? coins[0]
    if (coin !== undefined) found.push({ address: String(row.address), coin })
    if (found.some((held) => held.coin !== found[0]?.coin)) break
  }
  const [first] = found
  const other = found.find((held) => held.coin !== first?.coin) ?? found[1]
  return [first, other].filter((one) => one !== undefined)
}

/** Whether it is still open. */
export const holds = async (probe: Probe, { address, coin }: HeldPosition): Promise<boolean> => {
  const states = await accountStatesOf(probe, [address])
  return states.flatMap(positionsIn).some((position) => position.coin === coin)
}

export interface DonePosition extends HeldPosition {
  openTime: number
  closeTime: number
}

/** Closed positions of two accounts, in two coins where possible. */
export const twoClosedPositions = (probe: Probe): Promise<DonePosition[]> =>
  probe.once('two closed positions', async (lookup) => {
    const found: DonePosition[] = []
    for (const address of (await busyTraders(lookup)).slice(0, 5)) {
      const path = `/hl/traders/${address}/completed-trades`
      const rows = await objectsOf(lookup, { path, query: { limit: 100 } })
      const row = rows.find(({ coin }) => coin !== found[0]?.coin) ?? rows[0]
      if (!row) continue
      const [openTime, closeTime] = [Number(row.openTime), Number(row.closeTime)]
      found.push({ address, coin: String(row.coin), openTime, closeTime })
      if (found.some((one) => one.coin !== found[0]?.coin)) break
    }
    const other = found.find((one) => one.coin !== found[0]?.coin) ?? found[1]
    return [found[0], other].filter((one) => one !== undefined)
  })

async function objectOrList(probe: Probe, path: string, query: Record<string, string>) {
  const data = await dataOf(probe, { path, query })
  const list = isJsonObject(data) ? data.list : data
  return Array.isArray(list) ? list : []
}
