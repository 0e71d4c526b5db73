/** Coins, futures, indexes, stocks and depth: probes of the default world. */
import type { RequestedMarket } from '../../fixtures/requested-market.ts'
import {
  all,
  both,
  companiesOf,
  type Distinctions,
  differs,
  get,
  profilesOf,
  type Row,
  SYMBOL,
  signs,
  tickersOf,
} from './looks.ts'

/** Rates of a calm market rest at the venue's interest rate for weeks: not of all coins at once. */
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'].map(
  (coin) => `${coin.toLowerCase()}swapusdc:hl`,
)

const fundingRates = (market: RequestedMarket, query: object): Row[] =>
  get(market, '/futures/funding-rate/history', query)

export const MARKET_DISTINCTIONS: Distinctions = {
  Coin: {
    'names in Chinese and English differ': (market) =>
      get(market, '/coin').some(({ cn_name, en_name }: Row) => cn_name !== en_name),
    'coin_key, hash_key and show are three names': (market) =>
      get(market, '/coin').some(({ coin_key, hash_key, show }: Row) =>
        differs(coin_key, hash_key, show),
      ),
    'prices in two currencies differ': (market) =>
      tickersOf(market).some(({ price_cny, price_usd }) => price_cny !== price_usd),
    'changes of a day and of a week differ': (market) =>
      tickersOf(market).some(
        ({ degree_24h_usd, degree_7day_usd }) => degree_24h_usd !== degree_7day_usd,
      ),
    'net inflow is positive and negative': (market) =>
      signs(tickersOf(market), ({ fundNetIn_24h_usd }) => fundNetIn_24h_usd),
    'vol_24h is no turnover': (market) =>
      tickersOf(market).some(({ vol_24h, trade_24h_usd }) => vol_24h !== trade_24h_usd),
    'an empty string means no data': (market) =>
      ['describe', 'whitePaper', 'officialUrl', 'publishAmount'].some((field) =>
        both(profilesOf(market), (row) => row[field] === ''),
      ),
    'a distribution is empty for some': (market) =>
      both(profilesOf(market), ({ distribution }) => distribution.length > 0),
  },
  'Candle-like history records': {
    'funding rates are negative and positive': (market) =>
      signs(
        SYMBOLS.flatMap((symbol) => fundingRates(market, { symbol, interval: '1h', limit: '500' })),
        ({ close }) => close,
      ),
    'open, high, low and close differ': (market) =>
      SYMBOLS.flatMap((symbol) =>
        fundingRates(market, { symbol, interval: '1d', limit: '20' }),
      ).some(({ open, high, low, close }) => differs(open, high, low, close)),
    'weighted rates differ from those of a venue': (market) => {
      const query = { interval: '1h', limit: '5' }
      const one = get(market, '/futures/funding-rate/history', { symbol: SYMBOL, ...query })
      const other = get(market, '/futures/funding-rate/vol-weight-history', {
        symbol: 'BTC',
        ...query,
      })
      return JSON.stringify(one) !== JSON.stringify(other)
    },
    'a span has liquidations of one side only': (market) =>
      get(market, '/futures/liquidation/history', {
        symbol: SYMBOL,
        interval: '1m',
        limit: '500',
      }).some(
        (row: Row) => (row.long_liquidation_usd === '0') !== (row.short_liquidation_usd === '0'),
      ),
    'estimated liquidations have all four leverages, and both sides': (market) => {
      const [row] = get(market, '/futures/estimated-liquidation/history', {
        dbkey: SYMBOL,
        cycle: '24h',
      })
      const groups = Object.values(row.data_map) as Row[]
      return (
        Object.keys(row.data_map).length === 4 &&
        groups.some(({ short, long }) => short.length > 0 && long.length > 0)
      )
    },
    'estimated liquidations of a day and of a week differ': (market) => {
      const of = (cycle: string) =>
        JSON.stringify(
          get(market, '/futures/estimated-liquidation/history', { dbkey: SYMBOL, cycle })[0]
            .data_map,
        )
      return of('24h') !== of('7d')
    },
    'an estimate is later than its instant': (market) =>
      get(market, '/futures/estimated-liquidation/history', { dbkey: SYMBOL, cycle: '24h' }).some(
        ({ time, timestamp }: Row) => time !== timestamp,
      ),
    'the default of a limit cuts': (market) => {
      const query = { symbol: SYMBOL, interval: '1m' }
      const rows = (limit: object) =>
        get(market, '/futures/liquidation/history', { ...query, ...limit }).length
      return rows({}) === 10 && rows({ limit: '40' }) === 40
    },
  },
  'Depth snapshot': {
    'a book has more than 500 levels, of which 500 are given': (market) => {
      const full = get(market, '/futures/full-depth', { dbKey: SYMBOL })
      const latest = get(market, '/futures/latest-depth', { dbKey: SYMBOL, size: '900' })
      return full.asks.length > 500 && latest.asks.length === 500
    },
    'the full depth differs from the newest snapshot': (market) => {
      const full = get(market, '/futures/full-depth', { dbKey: SYMBOL })
      const latest = get(market, '/futures/latest-depth', { dbKey: SYMBOL })
      return full.asks.length !== latest.asks.length
    },
    'a group sums several levels': (market) => {
      const full = get(market, '/futures/full-depth', { dbKey: SYMBOL })
      const grouped = get(market, '/futures/full-depth/grouped', { dbKey: SYMBOL, groupSize: '50' })
      return grouped.asks.length > 1 && grouped.asks.length < full.asks.length
    },
    'asks and bids have numbers of their own': (market) => {
      const { asks, bids, length } = get(market, '/futures/latest-depth', { dbKey: SYMBOL })
      return length === asks.length + bids.length && length > 0
    },
  },
  'Futures interest': {
    'what is traded is not the volume in the coin': (market) =>
      all(
        get(market, '/futures/interest', { pageSize: '20' }).list,
        ({ trade, vol_coin }: Row) => Number(trade) > 0 && trade !== vol_coin,
      ),
    'there is a second page of 20': (market) =>
      get(market, '/futures/interest', { page: '2', pageSize: '20' }).list.length > 0,
    'a trend has several points': (market) =>
      get(market, '/futures/interest', { pageSize: '20' }).list.some(
        ({ trend }: Row) => trend.length > 1,
      ),
    'a price depends on the currency': (market) => {
      const of = (currency: string) =>
        JSON.stringify(get(market, '/futures/interest', { pageSize: '5', currency }).list)
      return of('cny') !== of('usd')
    },
    'names depend on the language': (market) => {
      const of = (lan: string) =>
        JSON.stringify(get(market, '/futures/interest', { pageSize: '20', lan }).list)
      return of('cn') !== of('en')
    },
  },
  Index: {
    'indexes rise and fall': (market) =>
      signs(get(market, '/index/getIndex').list, ({ degree24h }) => degree24h),
    'names depend on the language': (market) => {
      const [{ key }] = get(market, '/index/getIndex').list
      const of = (lan: string) => get(market, '/index/indexInfo', { key, lan })
      return of('cn').introduce !== of('en').introduce
    },
    'a price depends on the currency': (market) =>
      get(market, '/index/getIndex').list.some(({ key }: Row) => {
        const of = (currency: string) => get(market, '/index/indexPrice', { key, currency }).price
        return of('cny') !== of('usd')
      }),
    'types in two languages': (market) =>
      get(market, '/index/getIndex').list.some(({ en_type, cn_type }: Row) => en_type !== cn_type),
    'up and down are not the high and the low': (market) =>
      get(market, '/index/getIndex').list.some(({ key }: Row) => {
        const { up, down, high, low } = get(market, '/index/indexPrice', { key })
        return up !== high || down !== low
      }),
  },
  'Crypto stock': {
    'the high of a year is above its low': (market) => {
      const rows = market.cast.stockTickers
        .filter((ticker) => !ticker.endsWith(':index'))
        .map((symbol) => get(market, '/crypto_stock/company/:symbol', {}, { symbol }))
      return rows.length > 10 && all(rows, (row: Row) => row.annual_high > row.annual_low)
    },
    'a change in money is not its rate': (market) => {
      const rows = get(market, '/crypto_stock/top-gainer', { us_stock: 'true', hk_stock: 'true' })
      return rows.some(({ change, change_rate }: Row) => change !== change_rate)
    },
    'two markets with their currencies': (market) => {
      const rows = get(market, '/crypto_stock/top-gainer', {
        us_stock: 'true',
        hk_stock: 'true',
        limit: '200',
      })
      const pairs = new Set(rows.map((row: Row) => `${row.market} ${row.currency}`))
      return pairs.has('US USD') && pairs.has('HK HKD')
    },
    'more than the default of 50 are ranked': (market) =>
      get(market, '/crypto_stock/top-gainer', { us_stock: 'true', hk_stock: 'true', limit: '200' })
        .length > 50,
    'a market alone is fewer than both': (market) => {
      const of = (query: object) =>
        get(market, '/crypto_stock/top-gainer', { limit: '200', ...query }).length
      const two = of({ us_stock: 'true', hk_stock: 'true' })
      return of({ us_stock: 'true' }) < two && of({ hk_stock: 'true' }) < two
    },
    'stocks rise and fall': (market) =>
      signs(
        get(market, '/crypto_stock/top-gainer', {
          us_stock: 'true',
          hk_stock: 'true',
          limit: '200',
        }),
        ({ change_rate }) => change_rate,
      ),
    'close is not the last price, and open not the close': (market) =>
      get(market, '/crypto_stock/quotes').some(({ last_price, open, high, low }: Row) =>
        differs(last_price, open, high, low),
      ),
    'companies of several countries': (market) =>
      new Set(companiesOf(market).map(({ country_region }) => country_region)).size > 2,
    'fdv is not the market cap': (market) =>
      companiesOf(market).some(({ fdv, market_cap }) => fdv !== market_cap),
  },
  Liquidations: {
    'both sides, and a coin of its own': (market) => {
      const [all, one] = [
        get(market, '/hl/liquidations/stat', { interval: '1d' }),
        get(market, '/hl/liquidations/stat', { interval: '1d', coin: 'BTC' }),
      ]
      return JSON.stringify(all) !== JSON.stringify(one)
    },
    'a second, a day and sixty days differ': (market) =>
      differs(
        ...['1s', '1d', '60d'].map((interval) =>
          JSON.stringify(get(market, '/hl/liquidations/stat', { interval })),
        ),
      ),
  },
  Tickers: {
    'coins of several dexes and spot pairs': (market) => {
      const coins = get(market, '/hl/tickers').map(({ coin }: Row) => coin as string)
      return ['BTC', 'xyz:TSLA', 'PURR/USDC', '@107'].filter((coin) => !coins.includes(coin))
    },
  },
}
