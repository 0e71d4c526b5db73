import type { Case } from '../case.ts'
import { column, falls, same } from '../judging.ts'
import type { Probe } from '../probe.ts'
import { type Row, rowsOf, settled } from '../reading.ts'

/** Stocks (spec, Crypto stock). */
export const STOCK_CASES: readonly Case[] = [
  {
    id: 'stocks.quotes',
    title: 'quotes are of the tickers that are named, and of a default pair when none is',
    checks: ['stock.quotes.default', 'stock.quotes.tickers'],
    run: async (probe: Probe) => {
      const usual = (await quotes(probe)).map(({ ticker }) => String(ticker))
      probe.hold(usual.length === 2, 'two quotes are answered without tickers', usual)
      for (const tickers of [NAMED, [...NAMED].reverse(), NAMED.slice(0, 1)]) {
        const named = await quotes(probe, { tickers: tickers.join(',') })
        const found = named.map(({ ticker }) => symbolOf(String(ticker))).sort()
        const right = same(found, tickers.map(symbolOf).sort())
        probe.hold(right, `the quotes are of ${tickers}`, found)
      }
    },
  },
  {
    id: 'stocks.gainers.order',
    title: 'top gainers come with the greatest change first',
    checks: ['stock.topGainer.order'],
    run: async (probe: Probe) => {
      const rows = await gainers(probe)
      const isRanked = falls(column(rows, 'change_rate')) || falls(column(rows, 'change'))
      probe.hold(isRanked, 'no gainer has a greater change than the one before it')
    },
  },
  {
    id: 'stocks.gainers.markets',
    title: 'us_stock and hk_stock choose the markets, and each market has its currency',
    checks: ['stock.topGainer.markets', 'record.gainer.market'],
    run: async (probe: Probe) => {
      for (const [flag, market, currency] of MARKETS) {
        const rows = await gainers(probe, { [flag]: true })
        const others = rows.filter((row) => row.market !== market || row.currency !== currency)
        probe.hold(others.length === 0, `${flag} gives stocks of ${market} in ${currency}`, others)
        probe.hold(rows.length > 0, `${flag} gives some stocks`)
      }
    },
  },
  {
    id: 'stocks.gainers.no-indexes',
    title: 'no index is among the top gainers',
    checks: ['stock.topGainer.noIndexes'],
    run: async (probe: Probe) => {
      const indexes = (await gainers(probe)).filter(
        ({ symbol, name }) => /^[.^]/.test(String(symbol)) || /\b(index|指数)$/i.test(String(name)),
      )
      probe.hold(indexes.length === 0, 'index-like entries are left out', indexes)
    },
  },
  {
    id: 'stocks.gainers.post',
    title: 'POST answers the top gainers that GET answers',
    checks: ['stock.topGainer.byPost'],
    run: (probe: Probe) =>
      settled(probe, async () => {
        const got = await gainers(probe, { hk_stock: true, limit: 5 })
        const body = { hk_stock: true, limit: 5 }
        const posted = await rowsOf(probe, { method: 'POST', path: GAINERS, body })
        return same(symbols(got), symbols(posted)) ? null : 'GET and POST answer the same stocks'
      }),
  },
]

const GAINERS = '/crypto_stock/top-gainer'

const NAMED = ['i:mstr:nasdaq', 'i:coin:nasdaq']

/** The symbol in a ticker, in any of its forms (open). */
const symbolOf = (ticker: string) => (ticker.split(':')[1] ?? ticker).toLowerCase()

const MARKETS = [
  ['us_stock', 'US', 'USD'],
  ['hk_stock', 'HK', 'HKD'],
] as const

const quotes = (probe: Probe, query = {}) => rowsOf(probe, { path: '/crypto_stock/quotes', query })

const gainers = (probe: Probe, query = {}) => rowsOf(probe, { path: GAINERS, query })

const symbols = (rows: readonly Row[]) => rows.map(({ symbol }) => symbol)
