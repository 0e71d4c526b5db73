/** What else shows a part of what an operation declares, by its id. */
import { INDICATOR_KEYS } from '../../contract/records/indicator.ts'
import { TRADER_COLUMNS } from '../../contract/records/trader-search.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'

type Further = (probe: Probe, first: ProbeRequest) => ProbeRequest[] | Promise<ProbeRequest[]>

const bodies =
  (...all: object[]): Further =>
  (_, first) =>
    all.map((body) => ({ ...first, body: { ...(first.body as object), ...body } }))

const queries =
  (...all: Record<string, string>[]): Further =>
  (_, first) =>
    all.map((query) => ({ ...first, query: { ...first.query, ...query } }))

/** All columns, none but one, and what is only loaded when it is asked for. */
const search = bodies(
  { pageSize: 25, selects: TRADER_COLUMNS, loadPnls: true, loadTags: true },
  { pageSize: 25, selects: ['winRate'] },
  { pageSize: 25, selects: ['positionCount'] },
  { pageSize: 25, selects: TRADER_COLUMNS, sort: { field: 'snapEffLeverage', dir: 'asc' } },
  { pageSize: 25, selects: TRADER_COLUMNS, sort: { field: 'oaLastOrderAt', dir: 'asc' } },
)

export const FURTHER_REQUESTS: Readonly<Record<string, Further>> = {
  'indicator.records': queries(
    ...INDICATOR_KEYS.map((key) => ({ indicator_key: key, size: '20' })),
  ),
  'mix.fundcoScale': queries(
    { coins: 'btc,ltc,eth,bch,xrp,xlm,zec,zen,etc' },
    { coins: 'ltc' },
    { coins: 'nosuch' },
  ),
  'perpdex.tradersDiscover': search,
  'perpdex.tradersDiscoverHistory': search,
  'stock.topGainer': queries({ hk_stock: 'true' }, { us_stock: 'true' }),
  'stock.topGainerByPost': bodies({ hk_stock: true }, { us_stock: true }),
  'content.newsDetail': async (probe, first) => [
    { ...first, query: { id: 1 } },
    ...(await each(probe, '/content/news-list', 'id', (id) => ({ ...first, query: { id } }))),
  ],
  'stock.company': (_, first) => [
    { ...first, path: first.path.replace(/[^/]+$/, 'i:nosuch:nasdaq') },
  ],
  'content.flashList': earlier,
  'content.aiCoins': async (probe, first) => {
    const { json } = await probe.lookup.request({ path: '/coin' })
    const coinKeys = rowsIn(json).map((row) => String(row.coin_key))
    return [{ ...first, body: { ...(first.body as object), coinKeys } }]
  },
}

/** How many pages and articles are looked through. */
const PAGES_MAX = 12

/** One request for each row of a list. */
async function each(
  probe: Probe,
  path: string,
  name: string,
  ask: (value: string) => ProbeRequest,
): Promise<ProbeRequest[]> {
  const { json } = await probe.lookup.request({ path, query: { pageSize: PAGES_MAX } })
  return rowsIn(json).map((row) => ask(String(row[name])))
}

/** Pages one after the other, each from the last row of the one before. */
async function earlier(probe: Probe, first: ProbeRequest): Promise<ProbeRequest[]> {
  const pages: ProbeRequest[] = []
  let last: unknown
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { ...first.query, ...(last === undefined ? {} : { createtime: String(last) }) }
    pages.push({ ...first, query })
    const { json } = await probe.lookup.request({ ...first, query })
    last = rowsIn(json).at(-1)?.createtime
    if (last === undefined) break
  }
  return pages
}

const rowsIn = (json: unknown) =>
  isJsonObject(json) && Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
