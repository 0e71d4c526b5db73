/** Lists in requests that are cut after a maximum. */
import type { ReplayRequest, RequestedMarket } from '../../fixtures/requested-market.ts'

export interface ListTrial {
  /** A list of so many entries. */
  request: (count: number, market: RequestedMarket) => ReplayRequest
  /** Number of list entries that the answer shows as read. */
  read: (data: never, count: number) => number
}

const addressAt = (at: number) => `0x${String(at).padStart(40, '0')}`
const addressList = (count: number) => Array.from({ length: count }, (_, at) => addressAt(at))
const rows = (data: unknown[]) => data.length

const addresses = (rest: Record<string, unknown> = {}): ListTrial => ({
  request: (count) => ({ body: { addresses: addressList(count), ...rest } }),
  read: rows,
})

/** Only the last entry is known and answered: it is read, or cut off. */
const lastOnly = (data: unknown[], count: number) => (data.length === 1 ? count : count - 1)

const coins = (count: number) => [
  ...Array.from({ length: count - 1 }, (_, at) => `nosuch${at}`),
  'bitcoin',
]

const coinList: ListTrial = {
  request: (count) => ({ query: { coin_list: coins(count).join(',') } }),
  read: lastOnly,
}

/** The accounts of the world instead of made-up ones, as a search finds only these. */
const searched: ListTrial = {
  request: (count, { ask }) => {
    const pages = [1, 2, 3].map((pageNum) =>
      ask('POST', '/hl/traders/discover', { body: { period: 0, pageSize: 25, pageNum } }),
    ) as { list: { address: string }[] }[]
    const addrs = pages.flatMap(({ list }) => list.map(({ address }) => address)).slice(0, count)
    return { body: { period: 0, addrs } }
  },
  read: ({ total }: { total: number }) => total,
}

/** Trials by `<operation> <parameter>`. */
export const LIST_TRIALS: Readonly<Record<string, ListTrial>> = {
  'coin.config coin_list': coinList,
  'coin.ticker coin_list': coinList,
  'content.aiCoins coinKeys': {
    request: (count) => ({ body: { coinKeys: coins(count), language: 'EN' } }),
    read: ({ list }: { list: unknown[] }, count) => lastOnly(list, count),
  },
  'content.exchangeListingFlash memberIds': {
    request: (count) => ({
      query: { memberIds: [...[2, 3, 4, 5, 6].slice(0, count - 1), 477].join(','), pageSize: '1' },
    }),
    read: lastOnly,
  },
  'perpdex.batchAddrStat addresses': addresses({ period: 7 }),
  'perpdex.batchMaxDrawdown addresses': addresses({ days: 7 }),
  'perpdex.batchNetFlow addresses': addresses({ days: 7 }),
  'perpdex.batchPnls addresses': addresses({ period: 7, scope: 'all' }),
  'perpdex.tradersAccounts addresses': addresses(),
  'perpdex.tradersClearinghouseState addresses': addresses(),
  'perpdex.tradersDiscover addrs': searched,
  'perpdex.tradersDiscoverHistory addrs': searched,
  'perpdex.tradersSpotClearinghouseState addresses': addresses(),
  'perpdex.tradersStatistics addresses': addresses({ period: 7 }),
}
