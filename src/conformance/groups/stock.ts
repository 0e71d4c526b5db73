/** Crypto-related stocks. */

import type { Parameter } from '../../contract/parameters.ts'
import type { TestedOperation } from '../derived/tested-operation.ts'
import { type Effect, type EffectTable, nameOf } from '../effects/effect.ts'
import { differs } from '../effects/selection.ts'
import type { Case, Probe } from '../probe.ts'
import {
  byAnswers,
  dataIn,
  firstOf,
  type Observers,
  type Requirement,
  requirementsOfSection,
} from '../requirement.ts'
import {
  assertAtLeast,
  assertSame,
  column,
  isJsonObject,
  isNonIncreasing,
  isSameJson,
  isSuccess,
  type JsonObject,
  objectsOf,
  retryUntilHeld,
  whileStill,
} from '../responses.ts'

/** Stocks (the service's documentation, Crypto stock). */
export const STOCK_CASES: readonly Case[] = [
  {
    id: 'stock.quotes',
    title: 'quotes are of the named tickers, and of a default pair without any',
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
    title: 'POST returns the top gainers of GET',
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

/** When on, only stocks of that market. */
const market =
  (key: string): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const others = { us_stock: undefined, hk_stock: undefined }
    const one = requested.with({ query: others, body: others }).withValue(parameter, true)
    const rows = await one.objects()
    if (rows.length === 0) requested.probe.skip('there are no stocks')
    const wrong = rows.find((row) => row.market !== key)
    requested.probe.assert(
      !wrong,
      `${nameOf(requested, parameter, true)} has stocks of ${key} only`,
      wrong,
    )
  }

const gainer = {
  us_stock: { effect: market('US'), checks: ['stock.topGainer.markets'] },
  hk_stock: { effect: market('HK'), checks: ['stock.topGainer.markets'] },
  limit: { counted: true },
} as const

/** Effects of stock parameters, by operation and parameter. */
export const STOCK_EFFECTS: EffectTable = {
  'stock.company': { symbol: { effect: differs(['i:mstr:nasdaq', 'i:coin:nasdaq']) } },
  'stock.quotes': { tickers: { caseId: 'stock.quotes' } },
  'stock.topGainer': gainer,
  'stock.topGainerByPost': gainer,
}

const QUOTES = { path: '/crypto_stock/quotes' }

const GAINERS = { path: '/crypto_stock/top-gainer' }

/** Observers of the open questions about crypto-related stocks. */
export const STOCK_OBSERVERS: Observers = {
  'stock-times': async (probe) => {
    const { timestamp } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    const digits = String(timestamp ?? '').length
    return digits === 13 ? 'ms' : digits === 10 ? 's' : null
  },
  'stock-ticker-form': async (probe) => {
    const { ticker } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    return typeof ticker !== 'string' ? null : ticker.includes(':') ? 'key' : 'symbol'
  },
  'stock-quote-close': async (probe: Probe) => {
    const rows = await objectsOf(probe, QUOTES)
    if (rows.length === 0) return null
    return rows.every((row) => row.close === row.last_price) ? 'present' : 'previous'
  },
  'stock-quote-day': async (probe: Probe) => {
    const [row] = await objectsOf(probe, QUOTES)
    return row === undefined ? null : 'open_today' in row ? 'present' : 'absent'
  },
  'stock-change-rate': async (probe: Probe) => {
    const query = { us_stock: true, hk_stock: true }
    const ratios = (await objectsOf(probe, { ...GAINERS, query })).flatMap((row) => {
      const [price, change, rate] = [row.price, row.change, row.change_rate].map(Number)
      return change ? [((rate as number) * ((price as number) - change)) / change] : []
    })
    if (ratios.length === 0) probe.skip('no stock has moved')
    const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1] as number
    return middle > 50 && middle < 200 ? 'percent' : middle > 0.5 && middle < 2 ? 'fraction' : null
  },
  'stock-no-market': async (probe) =>
    (await objectsOf(probe, GAINERS)).length > 0 ? 'all' : 'none',
  'stock-unknown': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/crypto_stock/company/i:nobody:nasdaq' })
    const { status, json } = exchange
    if (isSuccess(exchange)) return isJsonObject(json) && json.data === null ? 'null' : null
    return status === 500 ? '500' : status === 400 ? 'refuse' : null
  },
}

/** Requirements of the contract on crypto-related stocks. */
export const STOCK_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Crypto stock', {
    'stock.quotes.default': 'Without tickers, the answer has the quotes of a default pair.',
    'stock.quotes.tickers': 'tickers are i:<symbol>:<market>, separated by commas.',
    'stock.topGainer.byPost': 'POST /crypto_stock/top-gainer returns the same as GET.',
    'stock.topGainer.order': 'Top gainers are ranked by their change of price.',
    'stock.topGainer.markets': 'us_stock and hk_stock select the markets of the top gainers.',
    'stock.topGainer.noIndexes': 'Indexes are not among the top gainers.',
  }),
  ...requirementsOfSection('Resources: Crypto stock', {
    'record.quote': byAnswers(
      'A quote has ticker and company_name as text, eight numbers and a whole timestamp.',
      'stock.quotes',
    ),
    'record.company': byAnswers('A company has six texts and four numbers.', 'stock.company'),
    'record.gainer': byAnswers(
      'A top gainer has prices and changes as numbers, whole volume, market_cap and ' +
        'update_time.',
      'stock.topGainer',
      'stock.topGainerByPost',
    ),
    'record.gainer.market': 'A top gainer is of the market US in USD, or HK in HKD.',
  }),
]
