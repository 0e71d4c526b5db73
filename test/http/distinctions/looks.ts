/** What the probes of the contract's distinctions look at. */
import type { RequestedMarket } from '../../fixtures/requested-market.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of any operation
export type Row = any
/** True where the world shows it, or a list of what it does not show. */
export type Probe = (market: RequestedMarket) => unknown

export const DAY_MS = 86_400_000
export const get = (market: RequestedMarket, path: string, query = {}, parts = {}): Row =>
  market.ask('GET', path, { query, path: parts })
export const post = (market: RequestedMarket, path: string, body = {}): Row =>
  market.ask('POST', path, { body })
export const info = (market: RequestedMarket, type: string, body = {}): Row =>
  post(market, '/hl/info', { type, ...body })

export const both = (rows: Row[], of: (row: Row) => boolean) => rows.some(of) && !rows.every(of)
export const signs = (rows: Row[], of: (row: Row) => unknown) =>
  rows.some((row) => Number(of(row)) < 0) && rows.some((row) => Number(of(row)) > 0)
export const all = <T>(values: readonly T[], of: (value: T) => unknown) => values.every(of)
export const differs = (...values: unknown[]) => new Set(values).size === values.length

export const addressesOf = (market: RequestedMarket): string[] => {
  const page = (pageNum: number) =>
    post(market, '/hl/traders/discover', {
      pageNum,
      pageSize: 50,
      selects: ['address'],
      sort: { field: 'address' },
    }).list as { address: string }[]
  const list = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap(page)
  const named = Object.values(market.cast.personas).flatMap((one) => one?.address ?? [])
  const rest = market.cast.openPositions.map(({ address }) => address)
  return [...new Set([...named, ...list.map(({ address }) => address), ...rest])]
}
export const accountsOf = (market: RequestedMarket): Row[] =>
  post(market, '/hl/traders/accounts', { addresses: addressesOf(market) })
export const statesOf = (market: RequestedMarket): Row[] =>
  post(market, '/hl/traders/clearinghouse-state', { addresses: addressesOf(market) })
export const positionsOf = (market: RequestedMarket): Row[] =>
  statesOf(market).flatMap(({ state }) => state.assetPositions.map((one: Row) => one.position))
export const fillsOf = (market: RequestedMarket): Row[] =>
  addressesOf(market)
    .slice(0, 40)
    .flatMap((user) => info(market, 'userFills', { user }) as Row[])
export const ordersOf = (market: RequestedMarket): Row[] =>
  addressesOf(market)
    .slice(0, 40)
    .flatMap((address) => get(market, '/hl/orders/:address/latest', { limit: '300' }, { address }))
export const coinKeysOf = (market: RequestedMarket): string[] =>
  get(market, '/coin').map(({ coin_key }: Row) => coin_key)
export const tickersOf = (market: RequestedMarket): Row[] =>
  get(market, '/coin/ticker', { coin_list: coinKeysOf(market).slice(0, 100).join(',') })
export const profilesOf = (market: RequestedMarket): Row[] =>
  get(market, '/coin/config', { coin_list: coinKeysOf(market).slice(0, 100).join(',') })
export const flashesOf = (market: RequestedMarket): Row[] => {
  const rows: Row[] = []
  let createtime: number | undefined
  for (let page = 0; page < 400; page++) {
    const query = { language: 'en', ...(createtime && { createtime: `${createtime}` }) }
    const next = get(market, '/content/flashList', query) as Row[]
    const last = next.at(-1)?.createtime
    rows.push(...next)
    if (next.length === 0 || last === createtime) break
    createtime = last
  }
  return rows
}
export const SYMBOL = 'btcswapusdc:hl'

export const FLASH_TYPES = [
  0, 1, 3, 4, 5, 6, 7, 8, 10, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
]
export const CHANGE_TYPES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 23, 24]
export const STRATEGIES = [
  'depth_win_one',
  'depth_win_two',
  'depth_buy_one',
  'order_buy_one',
  'td_buy_one',
  'lsur_one',
]

export function companiesOf(market: RequestedMarket): Row[] {
  const rows = get(market, '/crypto_stock/top-gainer', {
    us_stock: 'true',
    hk_stock: 'true',
    limit: '200',
  })
  return rows
    .slice(0, 60)
    .map(({ symbol, market: of }: Row) =>
      get(market, '/crypto_stock/company/:symbol', {}, { symbol: symbolOf(symbol, of) }),
    )
}

export const symbolOf = (symbol: string, region: string) =>
  region === 'HK' ? `i:${symbol}:hkex` : symbol

/** Alerts on the price that have fired. */
export function alertsOf(market: RequestedMarket): Row[] {
  return get(market, '/signal/signalAlert').list
}

export function liquidatedFills(market: RequestedMarket): Row[] {
  return info(market, 'userFills', { user: market.persona('liquidatedLastNight') })
}

/** Where a sentence of the contract stands, what it tells apart, and where that is shown. */
export type Distinctions = Record<string, Record<string, Probe>>
