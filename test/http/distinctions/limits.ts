/** What is cut, what an option changes, and what sockets show: probes of the default world. */
import type { RequestedMarket } from '../../fixtures/requested-market.ts'
import {
  addressesOf,
  both,
  type Distinctions,
  differs,
  get,
  info,
  post,
  type Row,
  SYMBOL,
} from './looks.ts'

/** Addresses without an account. */
const unused = (count: number) =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`)

const MEMBERS = [477, 1509, 1001, 1002, 1003, 1004]

const listingsOf = (market: RequestedMarket, members: readonly number[]): string => {
  const query = { memberIds: members.join(','), pageSize: '500', language: 'en' }
  return JSON.stringify(get(market, '/content/exchange-listing-flash', query))
}

/** Rows of an indicator: in each form of `kline_data` there is one list for each of them. */
const indicatorRows = (market: RequestedMarket, query: object): Row[] => {
  const usual = { symbol: SYMBOL, size: '500', period: '3600', open_time: '0' }
  const parameters = { ...usual, ...query }
  const { kline_data: data } = get(market, '/indicatorKline/dataRecords', parameters)
  const lists = Object.values(data).filter((one) => Array.isArray(one)) as Row[][]
  return lists.toSorted((one, other) => other.length - one.length)[0] ?? []
}

const INDICATORS = [
  'fundflow',
  'ttsi',
  'ttmu',
  'position',
  'lsur',
  'tvolume',
  'ftbs',
  'basis',
  'mlr',
  'bsv',
  'fr',
  'aibst',
  'aili',
  'aiaggtrade',
]

/** The first push of a new subscription of `/ws`. */
function snapshot(market: RequestedMarket, subscription: object): Row {
  const frames = market.converse([{ method: 'subscribe', subscription }])
  return frames.find(({ channel }) => channel !== 'subscriptionResponse')?.data
}

export const LIMITS_DISTINCTIONS: Distinctions = {
  Limits: {
    'the 2001st address of a batch has no row, the 2000th has its own': (market) => {
      const star = market.persona('star')
      return [
        ['accounts', '/hl/traders/accounts'],
        ['clearinghouse-state', '/hl/traders/clearinghouse-state'],
        ['spot-clearinghouse-state', '/hl/traders/spot-clearinghouse-state'],
      ].flatMap(([name = '', path = '']) => {
        const of = (before: number) =>
          (post(market, path, { addresses: [...unused(before), star] }) as Row[]).some(
            ({ address }) => address === star,
          )
        return of(1999) && !of(2000) ? [] : [name]
      })
    },
    'five exchanges of a list have listing flashes, a sixth adds none': (market) => {
      const [five, six] = [listingsOf(market, MEMBERS.slice(0, 5)), listingsOf(market, MEMBERS)]
      const sixth = listingsOf(market, MEMBERS.slice(5))
      return five === six && JSON.parse(sixth).length > 0
    },
    'estimated liquidations are more than 100, of which 100 are given': (market) => {
      const of = (query: object): Row[] =>
        get(market, '/futures/estimated-liquidation/history', {
          dbkey: SYMBOL,
          cycle: '24h',
          ...query,
        })
      const usual = of({})
      const before = of({ end_time: `${usual[0]?.time - 1}` })
      return usual.length === 100 && before.length === 100
    },
    'news of a page are more than 20, of which 20 are given': (market) =>
      get(market, '/content/news-list', { pageSize: '30' }).length === 20 &&
      get(market, '/content/square/market/news-list', { pageSize: '30' }).length === 20 &&
      get(market, '/futures/interest', { pageSize: '30' }).list.length === 20,
    'an indicator has more than 500 candles, of which 500 are given': (market) =>
      indicatorRows(market, { indicator_key: 'position', size: '900' }).length === 500,
    'statistics are of seven days unless a period is sent': (market) => {
      const of = (body: object) =>
        JSON.stringify(
          post(market, '/hl/traders/statistics', {
            addresses: addressesOf(market).slice(0, 20),
            ...body,
          }),
        )
      return of({}) === of({ period: 7 }) && of({}) !== of({ period: 30 })
    },
    'a position has more than the default of 20 intervals': (market) => {
      const address = market.persona('busiest')
      const [held] = post(market, '/hl/traders/clearinghouse-state', { addresses: [address] })
      const { coin } = held.state.assetPositions[0].position
      const of = (kind: string, query: object) =>
        get(market, `/hl/traders/:address/current-position-${kind}/:coin`, query, { address, coin })
      return ['pnl', 'executions'].filter((kind) => {
        const count = (query: object) => Object.values(of(kind, query)).flat().length
        return count({ interval: '15m', limit: '40' }) - count({ interval: '15m' }) !== 20
      })
    },
  },
  'Indicator k-lines': {
    'every indicator has rows, and pairs that are listed for it': (market) =>
      INDICATORS.filter((indicator_key) => {
        const [pair] = get(market, '/indicatorKline/getTradingPair', {
          coinType: 'btc',
          indicator_key,
        }).list as string[][]
        const symbol = pair?.find((text) => text.includes(':')) ?? ''
        return indicatorRows(market, { indicator_key, symbol, size: '20' }).length === 0
      }),
    'days open at midnight or at eight': (market) => {
      const of = (open_time: string) =>
        JSON.stringify(
          indicatorRows(market, {
            indicator_key: 'position',
            period: '86400',
            open_time,
            size: '5',
          }),
        )
      return of('0') !== of('8')
    },
    'candles up to an instant in the past are others': (market) => {
      const since = `${Math.floor(market.nowMs / 1000) - 86_400}`
      const query = { indicator_key: 'position', size: '5' }
      return (
        JSON.stringify(indicatorRows(market, query)) !==
        JSON.stringify(indicatorRows(market, { ...query, since }))
      )
    },
  },
  'Crypto stock, quotes': {
    'a default pair, and another on request': (market) => {
      const usual = get(market, '/crypto_stock/quotes') as Row[]
      const [other] = get(market, '/crypto_stock/quotes', { tickers: 'i:mara:nasdaq' }) as Row[]
      return usual.length === 2 && usual.every(({ ticker }) => ticker !== other?.ticker)
    },
    'an index of stocks is quoted, and is none of those that gained': (market) => {
      const [index] = get(market, '/crypto_stock/quotes', { tickers: 'i:cryptoeq:index' }) as Row[]
      const query = { us_stock: 'true', hk_stock: 'true', limit: '500' }
      const ranked = get(market, '/crypto_stock/top-gainer', query) as Row[]
      return (
        index?.last_price > 0 && ranked.every(({ symbol }) => !/cryptoeq|hkcrypto/i.test(symbol))
      )
    },
  },
  'Perpetual-DEX WebSocket': {
    'the buying takers have a part of a candle': (market) => {
      const candle = snapshot(market, { type: 'candle', coin: 'BTC', interval: '1h' })
      return [
        ['n', 'nb'],
        ['v', 'vb'],
        ['a', 'ab'],
      ].flatMap(([all = '', bought = '']) =>
        Number(candle[bought]) > 0 && Number(candle[bought]) < Number(candle[all]) ? [] : [bought],
      )
    },
    'volume in the coin is not that in its quote': (market) => {
      const { v, a } = snapshot(market, { type: 'candle', coin: 'ETH', interval: '1h' })
      return v !== a
    },
    'a rounded book has other levels and is a subscription of its own': (market) => {
      const books = [{}, { nSigFigs: 4 }, { nSigFigs: 3 }].map((rounding) =>
        JSON.stringify(snapshot(market, { type: 'l2Book', coin: 'BTC', ...rounding }).levels),
      )
      const frames = market.converse(
        [{}, { nSigFigs: 4 }].map((rounding) => ({
          method: 'subscribe',
          subscription: { type: 'l2Book', coin: 'BTC', ...rounding },
        })),
      )
      const states = frames.flatMap(({ data }) => data.status ?? [])
      return differs(...books) && states.join() === 'subscribed,subscribed'
    },
    'candles of two intervals are two subscriptions, of one coin and interval one': (market) => {
      const frames = market.converse(
        ['1m', '15m', '1m'].map((interval) => ({
          method: 'subscribe',
          subscription: { type: 'candle', coin: 'BTC', interval },
        })),
      )
      return (
        frames.flatMap(({ data }) => data.status ?? []).join() ===
        'subscribed,subscribed,alreadySubscribed'
      )
    },
    'takers buy and sell': (market) =>
      both(
        ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'].flatMap((coin) =>
          snapshot(market, { type: 'trades', coin }),
        ),
        ({ side }) => side === 'B',
      ),
    'open orders of an account are some, of another none': (market) => {
      const of = (user: string) => info(market, 'openOrders', { user }).length
      return of(market.persona('marketMaker')) > 0 && of(market.persona('empty')) === 0
    },
  },
}
