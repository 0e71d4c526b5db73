/** Who and what there is at the target, taken from its own lists. */
import type { Probe } from './probe.ts'
import { isJsonObject, type JsonObject, objectsOf } from './response-reading.ts'
import type { Target } from './target.ts'

/** A coin that is traded much: BTC where there is one. */
export async function someCoin(probe: Probe): Promise<string> {
  return (await someCoins(probe))[0] as string
}

/** Coins of the venue, the best known first. */
export async function someCoins(probe: Probe): Promise<string[]> {
  const tickers = await objectsOf(probe.lookup, { path: '/hl/tickers' })
  const coins = tickers.map(({ coin }) => String(coin))
  const known = ['BTC', 'ETH', 'SOL'].filter((coin) => coins.includes(coin))
  const found = [...known, ...coins.filter((coin) => !known.includes(coin))]
  if (found.length === 0) probe.skip('the target lists no coin')
  return found
}

/** Two pairs that depth and histories know: `symbol:exchange`. */
export async function somePair(probe: Probe): Promise<string> {
  const query = { coinType: 'bitcoin', indicator_key: 'fundflow' }
  const { json } = await probe.lookup.request({ path: '/indicatorKline/getTradingPair', query })
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

/** Accounts that trade now, then those that trade much, then those of large trades. */
export async function someTraders(probe: Probe): Promise<string[]> {
  const known = traders.get(probe.target) ?? (await findTraders(probe))
  traders.set(probe.target, known)
  return known
}

const traders = new WeakMap<Target, string[]>()

async function findTraders(probe: Probe): Promise<string[]> {
  const query = { coin: await someCoin(probe), interval: '1d', limit: LARGEST }
  const rows = [
    ...(await firstBy(probe, 'oaLastOrderAt')),
    ...(await firstBy(probe, 'positionCount')),
    ...(await objectsOf(probe.lookup, { path: '/hl/fills/top-trades', query })),
  ]
  const addresses = [...new Set(rows.map(({ address }) => String(address)))]
  if (addresses.length === 0) probe.skip('nobody has traded within a day')
  return addresses.slice(0, ADDRESSES_MAX)
}

/** Of each list, and in all: as many as a batch takes. */
const [FOUND, LARGEST, ADDRESSES_MAX] = [20, 50, 50]

/** Traders that a search finds, those with most of a column first; none where it is refused. */
async function firstBy(probe: Probe, field: string): Promise<JsonObject[]> {
  const body = { period: 7, sort: { field, dir: 'desc' }, pageSize: FOUND }
  const request = { method: 'POST', path: '/hl/traders/discover', body } as const
  const { json } = await probe.lookup.request(request)
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

/** The positions that an account state shows. */
export function positionsIn(row: JsonObject): JsonObject[] {
  const held = isJsonObject(row.state) ? row.state.assetPositions : undefined
  return (Array.isArray(held) ? held : []).flatMap((one) =>
    isJsonObject(one) && isJsonObject(one.position) ? [one.position] : [],
  )
}

export interface OpenPosition {
  address: string
  coin: string
}

/** Somebody who holds a position now. */
export async function someOpenPosition(probe: Probe): Promise<OpenPosition> {
  return (await openPositions(probe))[0] as OpenPosition
}

/** Positions that are held now, the first of each account before the others. */
export async function openPositions(probe: Probe): Promise<OpenPosition[]> {
  const states = await accountStatesOf(probe.lookup, await someTraders(probe))
  const held = states.map((row) =>
    positionsIn(row).map(({ coin }) => ({ address: String(row.address), coin: String(coin) })),
  )
  const found = [...held.flatMap((of) => of.slice(0, 1)), ...held.flatMap((of) => of.slice(1))]
  if (found.length === 0) probe.skip('none of the latest traders holds a position')
  return found
}

export interface ClosedPosition extends OpenPosition {
  openTime: number
  closeTime: number
}

/** A position that somebody has closed. */
export async function someClosedPosition(probe: Probe): Promise<ClosedPosition> {
  return (await closedPositions(probe, 1))[0] as ClosedPosition
}

/** Positions that were closed, of so many accounts. */
export async function closedPositions(probe: Probe, accounts: number): Promise<ClosedPosition[]> {
  const found: ClosedPosition[][] = []
  for (const address of (await someTraders(probe)).slice(0, 10)) {
    const path = `/hl/traders/${address}/completed-trades`
    const rows = await objectsOf(probe.lookup, { path, query: { limit: EACH } })
    const closed = rows.map(({ coin, openTime, closeTime }) => {
      const times = { openTime: Number(openTime), closeTime: Number(closeTime) }
      return { address, coin: String(coin), ...times }
    })
    if (closed.length > 0) found.push(closed)
    if (found.length === accounts) break
  }
  if (found.length === 0) probe.skip('none of the latest traders has closed a position')
  return [...found.flatMap((of) => of.slice(0, 1)), ...found.flatMap((of) => of.slice(1))]
}

/** Positions of one account that are enough. */
const EACH = 5

/** Somebody's latest orders, more than one. */
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

/** An order in either of its two forms (open), flat. */
export function flatOrder(row: JsonObject): JsonObject {
  if (!isJsonObject(row.order)) return row
  return { ...row.order, status: row.status, time: row.statusTimestamp }
}

/** An address that nobody uses. */
export const UNUSED_ADDRESS = '0x000000000000000000000000000000000000dead'
