/** Envelopes of responses. */

import { someCoin, somePair } from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import { byAnswers, type Requirement, requirementsOfSection } from '../requirement.ts'
import {
  assertAtMost,
  assertNoSuccess,
  assertSame,
  assertSuccess,
  assertText,
  bodyOf,
  dataOf,
  fractionalTimes,
  malformedNumbers,
  objectsOf,
  withoutData,
} from '../responses.ts'

/** Envelopes, and formats of numbers in them. */
export const ENVELOPE_CASES: readonly Case[] = [
  {
    id: 'envelopes.a',
    title: 'success in envelope A is success true, errorCode 200 and an empty error',
    checks: ['envelope.A', 'envelope.A.success'],
    run: async (probe: Probe) => {
      for (const path of ['/coin', '/index/getIndex', '/mix/ls-ratio', '/signal/signalAlert']) {
        const { success, errorCode, error, data } = bodyOf(probe, await probe.request({ path }))
        assertSame(probe, success, true, `success of ${path} is true`)
        assertSame(probe, errorCode, 200, `errorCode of ${path} is the number 200`)
        assertSame(probe, error, '', `error of ${path} is empty`)
        probe.assert(data !== undefined, `${path} has data`, { success, errorCode, error })
      }
    },
  },
  {
    id: 'envelopes.b',
    title: 'the code of success in envelope B is the text "0"',
    checks: ['envelope.B', 'envelope.B.zero'],
    run: async (probe: Probe) => {
      for (const request of await inB(probe)) {
        const { code, msg } = bodyOf(probe, await probe.request(request))
        assertSame(probe, code, '0', `code of ${request.path} is the text "0"`)
        assertText(probe, msg, `msg of ${request.path} is text`)
      }
    },
  },
  {
    id: 'envelopes.b.latest-depth',
    title: 'latest-depth has code "200" where others have "0"',
    checks: ['envelope.B.latestDepth'],
    run: async (probe: Probe) => {
      const query = { dbKey: await somePair(probe), size: 1 }
      const { code } = bodyOf(probe, await probe.request({ path: '/futures/latest-depth', query }))
      assertSame(probe, code, '200', 'code of latest-depth is the text "200"')
    },
  },
  {
    id: 'envelopes.b.message',
    title: 'the funding-rate history has message where others have msg',
    checks: ['envelope.B.message'],
    run: async (probe: Probe) => {
      const query = { symbol: await somePair(probe), interval: '1h', limit: 1 }
      const request = { path: '/futures/funding-rate/history', query }
      const body = bodyOf(probe, await probe.request(request))
      assertText(probe, body.message, 'the history has the text message')
      probe.assert(!('msg' in body), 'the history has no msg', withoutData(body))
    },
  },
  {
    id: 'envelopes.c',
    title: 'envelope C has success and data, or success false and an error',
    checks: ['envelope.C'],
    needs: ['partner'],
    run: async (probe: Probe) => {
      const request = { path: '/distributor/info', signedBy: 'partner' } as const
      const good = bodyOf(probe, await probe.request(request))
      assertSame(probe, good.success, true, 'success in envelope C is true')
      probe.assert('data' in good, 'success in envelope C has data', withoutData(good))
      assertText(probe, good.message, 'success in envelope C has a message')
      const body = { invite_token: 'no-such-token' }
      const register = { method: 'POST', path: '/distributor/register', body } as const
      const bad = bodyOf(probe, await probe.request({ ...register, signedIn: 'nowhere' }))
      assertSame(probe, bad.success, false, 'failure in envelope C has success false')
      assertText(probe, bad.error, 'failure in envelope C has an error text')
    },
  },
  {
    id: 'envelopes.prefix',
    title: 'paths are served below /api/upgrade/v2 and not without it',
    checks: ['prefix.path', 'version.prefix'],
    run: async (probe: Probe) => {
      const below = await probe.request({ path: '/coin', prefix: '/api/upgrade/v2' })
      assertSuccess(probe, below, '/api/upgrade/v2/coin is answered with success')
      const bare = await probe.request({ path: '/coin', prefix: '' })
      assertNoSuccess(probe, bare, '/coin without the prefix is no endpoint')
    },
  },
  {
    id: 'envelopes.prefix.distributor',
    title: 'the distributor group is served below /api/upgrade/v2/distributor',
    checks: ['prefix.distributor'],
    needs: ['partner'],
    run: async (probe: Probe) => {
      const request = { path: '/distributor/levels', prefix: '/api/upgrade/v2' }
      const exchange = await probe.request({ ...request, signedBy: 'partner' })
      assertSuccess(probe, exchange, '/api/upgrade/v2/distributor/levels is answered')
    },
  },
  {
    id: 'envelopes.parameters',
    title: 'a GET reads its query, and a POST its JSON body while it is signed in the query',
    checks: ['request.query', 'request.body'],
    run: async (probe: Probe) => {
      const query = { coin: await someCoin(probe), interval: '1d', limit: 1 }
      const trades = await objectsOf(probe, { path: '/hl/fills/top-trades', query })
      assertAtMost(probe, trades.length, 1, 'limit=1 in the query counts')
      const addresses = trades.map(({ address }) => address)
      const request = { method: 'POST', path: '/hl/traders/accounts', body: { addresses } } as const
      const accounts = await objectsOf(probe, request)
      const found = accounts.map(({ address }) => String(address).toLowerCase())
      const requested = addresses.map((address) => String(address).toLowerCase())
      assertSame(probe, found, requested, 'the addresses of the body are those that are answered')
    },
  },
  {
    id: 'envelopes.numbers',
    title: 'numbers in text are plain decimals, and times are whole',
    checks: ['numbers.text', 'numbers.times'],
    run: async (probe: Probe) => {
      for (const request of [...(await inB(probe)), ...IN_A]) {
        const data = await dataOf(probe, request)
        const wrong = malformedNumbers(data)
        assertSame(probe, wrong, [], `${request.path} writes numbers as plain decimals`)
        const broken = fractionalTimes(data)
        assertSame(probe, broken, [], `${request.path} writes times as whole numbers`)
      }
    },
  },
]

const IN_A: readonly ProbeRequest[] = [
  { path: '/coin/ticker', query: { coin_list: 'bitcoin,ethereum' } },
  { path: '/futures/interest', query: { page: 1, pageSize: 5 } },
  { path: '/mix/liq', query: { currency: 'usd' } },
  { path: '/content/newsflash', query: { language: 'en' } },
]

async function inB(probe: Probe): Promise<ProbeRequest[]> {
  const dbKey = await somePair(probe)
  const coin = await someCoin(probe)
  return [
    { path: '/hl/tickers' },
    { path: '/hl/fills/top-trades', query: { coin, interval: '1d', limit: 10 } },
    { path: '/hl/orders/top-open-orders', query: { limit: 10 } },
    { path: '/hl/orders/active-stats' },
    { path: '/futures/full-depth', query: { dbKey } },
    { path: '/futures/liquidation/history', query: { symbol: dbKey, interval: '15m' } },
    { path: '/crypto_stock/quotes' },
  ]
}

/** Requirements of the contract on the form of requests and responses. */
export const ENVELOPE_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Versioning', {
    'version.prefix':
      'The segment v2 is part of every path, and /api/upgrade/v2 is the prefix that works.',
  }),
  ...requirementsOfSection('Conventions', {
    'prefix.path': 'Every path is served below /api/upgrade/v2.',
    'prefix.distributor': 'The distributor group is served below /api/upgrade/v2/distributor.',
    'request.query': 'A GET takes its parameters from the query string.',
    'request.body':
      'POST and PUT take business parameters from a JSON body while the signature stays in ' +
      'the query.',
    'envelope.A': byAnswers(
      'Envelope A has success (boolean), errorCode (integer), error (text) and data.',
      'coin.list',
      'coin.ticker',
      'coin.config',
      'index.list',
      'index.price',
      'index.info',
      'futures.interest',
      'mix.lsRatio',
      'mix.nav',
      'mix.fundcoTrust',
      'mix.fundcoScale',
      'mix.liq',
      'mix.stockMarket',
      'signal.alerts',
      'signal.alertConfig',
      'signal.alertSettings',
      'signal.strategies',
      'signal.changes',
      'content.aiCoins',
      'content.newsflash',
      'content.newsList',
    ),
    'envelope.A.success':
      'On success envelope A says success true, errorCode 200 and an empty error.',
    'envelope.A.users': byAnswers(
      'Coin, index, interest, feature, signal and content endpoints answer in envelope A.',
      'coin.list',
      'index.list',
      'futures.interest',
      'mix.nav',
      'signal.alerts',
      'content.newsflash',
      'indicator.tradingPairs',
    ),
    'envelope.B': byAnswers(
      'Envelope B has code (text), msg (text) and data.',
      'stock.quotes',
      'stock.company',
      'stock.topGainer',
      'futures.fullDepth',
      'futures.groupedDepth',
      'futures.liquidationHistory',
      'perpdex.tickers',
    ),
    'envelope.B.users': byAnswers(
      'Stocks, depth, derivatives history and the perpetual DEX answer in envelope B.',
      'stock.quotes',
      'futures.fullDepth',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
      'futures.coinMarginInterestHistory',
      'futures.liquidationHistory',
      'perpdex.tickers',
      'perpdex.topTrades',
    ),
    'envelope.B.zero':
      'The code of success in envelope B is the text "0", except for latest-depth.',
    'envelope.B.latestDepth': 'The code of success of latest-depth is the text "200".',
    'envelope.B.message':
      'The funding-rate history names the text of its envelope message, not msg.',
    'envelope.C': 'Envelope C has success, data, and message on success or error on failure.',
    'envelope.C.users': byAnswers(
      'The distributor endpoints answer in envelope C.',
      'distributor.info',
      'distributor.quota',
      'distributor.levels',
      'distributor.level',
    ),
    'numbers.text': 'A number that travels as text is a plain decimal number.',
    'numbers.times': 'Times are whole numbers unless the record says otherwise.',
  }),
]
