import { assertAtLeast, assertSame } from '../assertions.ts'
import type { Case } from '../case.ts'
import type { JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { objectsOf, retryUntilHeld, whileStill } from '../response-reading.ts'
import { column, isNonIncreasing, isSameJson } from '../value-checks.ts'

/** Stocks (the service's documentation, Crypto stock). */
export const STOCK_CASES: readonly Case[] = [
  {
    id: 'stock.quotes',
    title: 'quotes are of the tickers that are named, and of a default pair when none is',
    checks: ['stock.quotes.default', 'stock.quotes.tickers'],
    run: async (probe: Probe) => {
      const usual = (await quotes(probe)).map(({ ticker }) => String(ticker))
      assertSame(probe, usual.length, 2, 'two quotes are answered without tickers')
      for (const tickers of [NAMED, [...NAMED].reverse(), NAMED.slice(0, 1)]) {
        const named = await quotes(probe, { tickers: tickers.join(',') })
        const found = named.map(({ ticker }) => symbolOf(String(ticker))).sort()
        const right = isSameJson(found, tickers.map(symbolOf).sort())
        probe.assert(right, `the quotes are of ${tickers}`, found)
      }
    },
  },
  {
    id: 'stock.gainers.order',
    title: 'top gainers come with the greatest change first',
    checks: ['stock.topGainer.order'],
    run: async (probe: Probe) => {
      const rows = await gainers(probe)
      const isRanked =
        isNonIncreasing(column(rows, 'change_rate')) || isNonIncreasing(column(rows, 'change'))
      const changes = rows.map(({ change_rate, change }) => change_rate ?? change)
      probe.assert(isRanked, 'no gainer has a greater change than the one before it', changes)
    },
  },
  {
    id: 'stock.gainers.markets',
    title: 'us_stock and hk_stock choose the markets, and each market has its currency',
    checks: ['stock.topGainer.markets', 'record.gainer.market'],
    run: async (probe: Probe) => {
      for (const [flag, market, currency] of MARKETS) {
        const rows = await gainers(probe, { [flag]: true })
        const others = rows.filter((row) => row.market !== market || row.currency !== currency)
        probe.assert(
          others.length === 0,
          `${flag} gives stocks of ${market} in ${currency}`,
          others,
        )
        assertAtLeast(probe, rows.length, 1, `${flag} gives some stocks`)
      }
    },
  },
  {
    id: 'stock.gainers.no-indexes',
    title: 'no index is among the top gainers',
    checks: ['stock.topGainer.noIndexes'],
    run: async (probe: Probe) => {
      const indexes = (await gainers(probe)).filter(
        ({ symbol, name }) => /^[.^]/.test(String(symbol)) || /\b(index|指数)$/i.test(String(name)),
      )
      assertSame(probe, indexes, [], 'index-like entries are left out')
    },
  },
  {
    id: 'stock.gainers.post',
    title: 'POST answers the top gainers that GET answers',
    checks: ['stock.topGainer.byPost'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, () =>
        whileStill(
          () => gainers(probe, { hk_stock: true, limit: 5 }),
          async (got) => {
            const body = { hk_stock: true, limit: 5 }
            const posted = await objectsOf(probe, { method: 'POST', path: TOP_GAINER, body })
            return isSameJson(symbols(got), symbols(posted))
              ? null
              : 'GET and POST answer the same stocks'
          },
        ),
      ),
  },
]

const TOP_GAINER = '/crypto_stock/top-gainer'

const NAMED = ['i:mstr:nasdaq', 'i:coin:nasdaq']

/** The symbol in a ticker, in any of its forms (open). */
const symbolOf = (ticker: string) => (ticker.split(':')[1] ?? ticker).toLowerCase()

const MARKETS = [
  ['us_stock', 'US', 'USD'],
  ['hk_stock', 'HK', 'HKD'],
] as const

const quotes = (probe: Probe, query = {}) =>
  objectsOf(probe, { path: '/crypto_stock/quotes', query })

const gainers = (probe: Probe, query = {}) => objectsOf(probe, { path: TOP_GAINER, query })

const symbols = (rows: readonly JsonObject[]) => rows.map(({ symbol }) => symbol)
