/** What each parameter changes: probes of the default world. */
import type { RequestedMarket } from '../../fixtures/requested-market.ts'
import {
  all,
  both,
  coinKeysOf,
  type Distinctions,
  differs,
  get,
  info,
  post,
  type Row,
  SYMBOL,
  signs,
} from './looks.ts'

const INTERVALS = ['1m', '3m', '5m', '15m', '30m', '1h', '4h', '6h', '8h', '12h', '1d', '1w']
const SHORT_INTERVALS = ['1m', '2m', '15m', '30m']

const text = (market: RequestedMarket, path: string, query = {}, parts = {}): string =>
  JSON.stringify(get(market, path, query, parts))

/** Rows of an address's latest completed position, found by the instants that are sent. */
const completed = (market: RequestedMarket, kind: string, of: (trade: Row) => object): Row => {
  const address = market.persona('star')
  const [trade] = get(market, '/hl/traders/:address/completed-trades', { limit: '1' }, { address })
  const path = { address, coin: trade.coin }
  return get(market, `/hl/traders/:address/completed-position-${kind}/:coin`, of(trade), path)
}

export const PARAMETERS_DISTINCTIONS: Distinctions = {
  'Futures, index and coin data': {
    'funding has rows of each of twelve intervals': (market) =>
      INTERVALS.filter((interval) => {
        const query = { interval, limit: '5' }
        return (
          get(market, '/futures/funding-rate/history', { symbol: SYMBOL, ...query }).length === 0 ||
          get(market, '/futures/funding-rate/vol-weight-history', { symbol: 'BTC', ...query })
            .length === 0 ||
          get(market, '/futures/open-interest/aggregated-stablecoin-history', {
            symbol: 'BTC',
            ...query,
          }).length === 0
        )
      }),
    'coin-margined interest and liquidations have rows of each of four intervals': (market) =>
      SHORT_INTERVALS.filter((interval) => {
        const query = { interval, limit: '5' }
        const margined = '/futures/open-interest/aggregated-coin-margin-history'
        return (
          get(market, margined, { symbol: 'BTC', ...query }).length === 0 ||
          get(market, '/futures/liquidation/history', { symbol: SYMBOL, ...query }).length === 0
        )
      }),
    'open interest in the coin is not that in dollars': (market) => {
      const of = (kind: string) =>
        get(market, `/futures/open-interest/aggregated-${kind}-history`, {
          symbol: 'ETH',
          interval: '1m',
          limit: '1',
        })[0].close
      return differs(of('stablecoin'), of('coin-margin'))
    },
    'a start and an end cut a history': (market) => {
      const query = { symbol: SYMBOL, interval: '1h', limit: '50' }
      const rows = get(market, '/futures/funding-rate/history', query) as Row[]
      const [from, to] = [rows.at(-9)?.time, rows.at(-5)?.time]
      const cut = { ...query, start_time: `${from}`, end_time: `${to}` }
      return get(market, '/futures/funding-rate/history', cut).length === 5
    },
    'one leverage of four is given on request': (market) =>
      ['10', '25', '50', '100'].filter((leverage) => {
        const query = { dbkey: SYMBOL, cycle: '24h', leverage }
        const [row] = get(market, '/futures/estimated-liquidation/history', query)
        return Object.keys(row.data_map).length !== 1
      }),
    'a size of the newest snapshot is smaller than its default': (market) => {
      const of = (query: object) =>
        get(market, '/futures/latest-depth', { dbKey: SYMBOL, ...query }).bids.length
      return of({ size: '7' }) === 7 && of({}) > 7
    },
    'the wider a group, the fewer there are': (market) => {
      const of = (groupSize: string) =>
        get(market, '/futures/full-depth/grouped', { dbKey: SYMBOL, groupSize }).bids.length
      return of('10') > of('100')
    },
    'a level lies on the edge of a group': (market) => {
      const full = get(market, '/futures/full-depth', { dbKey: SYMBOL })
      const prices = [...full.asks, ...full.bids].map(([price]: string[]) => Number(price))
      return prices.some((price) => price % 10 === 0)
    },
    'a change in money is no percentage': (market) =>
      get(market, '/index/getIndex').list.some(({ key }: Row) => {
        const { degree24H, change24H } = get(market, '/index/indexPrice', { key })
        return degree24H !== change24H
      }),
    'pairs of coins differ, and some are of other exchanges': (market) => {
      const of = (coinType: string) =>
        JSON.stringify(
          get(market, '/indicatorKline/getTradingPair', { coinType, indicator_key: 'position' })
            .list,
        )
      return of('btc') !== of('eth') && of('btc').includes(':binance')
    },
    'some coins are on the list of tickers when they are named, and no others': (market) => {
      const [one = '', two = ''] = coinKeysOf(market)
      const query = { coin_list: [two, one].join() }
      return get(market, '/coin/ticker', query).length === 2
    },
  },
  'Feature and signal data': {
    'figures of a market are not those of all': (market) => {
      const of = (query: object) => text(market, '/mix/liq', query)
      return differs(of({}), of({ type: '2', marketKey: 'hl' }))
    },
    'liquidations of a day are more than those of an hour, on both sides': (market) => {
      const detail = get(market, '/mix/liq').detail
      return ['liq', 'liqLong', 'liqShort'].filter(
        (name) => !(Number(detail[`${name}24h`]) > Number(detail[`${name}1h`])),
      )
    },
    'the market of the largest liquidation and of most are named': (market) => {
      const { maxLiqMarket, liq24HMaxMarket, liq24HMaxTpKey } = get(market, '/mix/liq').detail
      return all([maxLiqMarket, liq24HMaxMarket, liq24HMaxTpKey], (name) => name !== '')
    },
    'a fund costs something else than its first, highest and lowest price': (market) => {
      const rows = [get(market, '/mix/fundco-trust').detail].flatMap((detail) =>
        'last' in detail ? [detail] : Object.values(detail),
      )
      return rows.some(({ last, open, high, low }: Row) => differs(last, open, high, low))
    },
    'a subset of nine funds': (market) => {
      const of = (coins: string) =>
        Object.keys(get(market, '/mix/fundco-scale', { coins }).detail).length
      return of('btc,eth') === 2 && of('btc,ltc,eth,bch,xrp,xlm,zec,zen,etc') === 9
    },
    'names depend on the language': (market) =>
      ['/mix/nav', '/signal/signalAlertConf'].filter(
        (path) => text(market, path, { lan: 'cn' }) === text(market, path, { lan: 'en' }),
      ),
    'alerts have several indicators, kinds of signal and periods': (market) => {
      const { alertConfig, period } = get(market, '/signal/signalAlertConf', { lan: 'en' })
      const kinds = alertConfig.flatMap(({ config }: Row) => config)
      return (
        alertConfig.length > 1 &&
        period.length > 1 &&
        new Set(kinds.map(({ signalType }: Row) => signalType)).size > 1
      )
    },
    'alerts of several sub-types have fired or are set': (market) => {
      const set = get(market, '/signal/getSignalAlertSetList').list as Row[]
      return set.length > 1 && new Set(set.map(({ subType }) => subType)).size > 1
    },
    'an alert is added, another cannot be': (market) => {
      const of = (subType: string) =>
        get(market, '/signal/addSignalAlert', { symbol: SYMBOL, subType }).result as string
      return of('price:1:above:999999') === 'true' && of('no-such-indicator:1:above') === 'false'
    },
    'a change signal is priced in two currencies': (market) =>
      [1, 2, 3, 4, 5, 6].some((type) => {
        const of = (currency: string) =>
          get(market, '/signal/changeSignal', { type: `${type}`, currency }).list[0]?.price
        return of('cny') !== of('usd')
      }),
    'stocks of the market rise or fall': (market) =>
      text(market, '/mix/stock-market').includes('degree'),
  },
  'Content, parameters': {
    'flashes in three languages': (market) => {
      const of = (path: string) =>
        differs(...['cn', 'tc', 'en'].map((language) => text(market, path, { language })))
      return ['/content/flashList', '/content/exchange-listing-flash'].filter((path) => !of(path))
    },
    'earlier flashes than an instant are others': (market) => {
      const rows = get(market, '/content/flashList', { language: 'en' }) as Row[]
      const query = { language: 'en', createtime: `${rows.at(-1)?.createtime}` }
      const next = get(market, '/content/flashList', query) as Row[]
      return next.length > 0 && next.every(({ id }) => rows.every((one) => one.id !== id))
    },
    'the detail of an article has what its list has not': (market) => {
      const [row] = get(market, '/content/news-list', { pageSize: '1' })
      const detail = get(market, '/content/news-detail', { id: `${row.id}` })
      return !('content' in row) && detail.content.length > 0
    },
  },
  'Perpetual-DEX REST': {
    'fills of an order and of a TWAP': (market) => {
      const filled = get(market, '/hl/fills/oid/:oid', {}, { oid: `${market.cast.oids.filled[0]}` })
      const [twapid] = market.cast.twapIds
      const slices = get(market, '/hl/fills/twapid/:twapid', {}, { twapid: `${twapid}` })
      return filled.length > 0 && slices.length > 1
    },
    'an order is found by its number, and is null without one': (market) => {
      const of = (oid: number) => get(market, '/hl/orders/oid/:oid', {}, { oid: `${oid}` })
      const known = market.cast.oids.cancelled[0] as number
      return of(known)?.coin !== undefined && of(known + 1_000_003) === null
    },
    'a trade ends flat, long and short': (market) => {
      const query = { interval: '7d', limit: '100' }
      const rows = ['BTC', 'SOL', 'XRP'].flatMap((coin) =>
        get(market, '/hl/fills/top-trades', { coin, ...query }),
      ) as Row[]
      return (
        signs(rows, ({ endPosition }) => endPosition) &&
        rows.some(({ endPosition }) => Number(endPosition) === 0)
      )
    },
    'top trades of an hour and of a week differ, and are ten unless more are sent': (market) => {
      const of = (interval: string) =>
        text(market, '/hl/fills/top-trades', { coin: 'BTC', interval, limit: '10' })
      return of('1h') !== of('7d')
    },
    'large orders are on both sides of the price, of several coins': (market) => {
      const rows = ['BTC', 'ETH'].flatMap((coin) =>
        get(market, '/hl/orders/top-open-orders', { coin, min_val: '0', limit: '100' }),
      )
      return (
        signs(rows, ({ distPct }) => distPct) &&
        both(rows, ({ side }) => side === 'B' || side === 'buy') &&
        both(rows, ({ coin }) => coin === 'BTC')
      )
    },
    'a least value leaves orders out, a threshold leaves whales out': (market) => {
      const orders = (min_val: string) =>
        text(market, '/hl/orders/top-open-orders', { coin: 'BTC', min_val, limit: '100' })
      const whales = (whale_threshold: string) =>
        get(market, '/hl/orders/active-stats', { coin: 'BTC', whale_threshold }).whaleBidCount
      const values = JSON.parse(orders('0')).map(({ val }: Row) => Number(val))
      return orders(`${values[50]}`) !== orders('0') && whales('10000') > whales('1000000')
    },
    'a completed position is found by its start or by its end': (market) =>
      ['pnl', 'executions'].filter((kind) => {
        const found = [
          completed(market, kind, ({ openTime }) => ({ startTime: `${openTime}` })),
          completed(market, kind, ({ closeTime }) => ({ endTime: `${closeTime}` })),
        ]
        return new Set(found.map(({ startTime }) => startTime)).size !== 1
      }),
    'intervals of a position differ': (market) => {
      const of = (interval: string) =>
        completed(market, 'pnl', ({ closeTime }) => ({ endTime: `${closeTime}`, interval }))
      return JSON.stringify(of('15m').pnls) !== JSON.stringify(of('1d').pnls)
    },
    'a position gains in one interval, and loses in another': (market) => {
      const rows = market.cast.openPositions.slice(0, 40).flatMap((path) => {
        const where = '/hl/traders/:address/current-position-pnl/:coin'
        return get(market, where, { limit: '100' }, path)?.pnls ?? []
      })
      return signs(rows, ({ unrealizedPnl }) => unrealizedPnl)
    },
    'the curve of an account ends elsewhere than its realised PnL': (market) => {
      const body = { addresses: [market.persona('whale')], period: 7, pnlList: true }
      const [{ pnlList, realizedPnl }] = post(market, '/hl/traders/statistics', body)
      const last = Object.values(pnlList.at(-1)).map(Number)
      return !last.includes(Number(realizedPnl))
    },
    'liquidations of some coins, and of each interval a second to sixty days': (market) => {
      const coins = get(market, '/hl/liquidations/stat-by-coin', { interval: '60d' })
      return coins.length > 1
    },
  },
  'Perpetual-DEX WebSocket, subscriptions': {
    'each of seven intervals has a candle': (market) =>
      ['1s', '5s', '15s', '1m', '15m', '1h', '4h'].filter((interval) => {
        const subscription = { type: 'candle', coin: 'BTC', interval }
        const frames = market.converse([{ method: 'subscribe', subscription }])
        return !frames.some(({ channel, data }) => channel === 'candle' && data.i === interval)
      }),
    'each of eight types has a snapshot that is not empty': (market) => {
      const user = market.cast.addresses.maker
      const coin = { coin: 'BTC' }
      const types = { trades: coin, l2Book: coin, bbo: coin, candle: { ...coin, interval: '1m' } }
      const users = ['openOrders', 'clearinghouseState', 'userFills', 'userNonFundingLedgerUpdates']
      const each = { ...types, ...Object.fromEntries(users.map((type) => [type, { user }])) }
      return Object.entries(each).flatMap(([type, of]) => {
        const frames = market.converse([{ method: 'subscribe', subscription: { type, ...of } }])
        const data = frames.find(({ channel }) => channel === type)?.data
        const rows = data?.fills ?? data?.nonFundingLedgerUpdates ?? data?.orders ?? data
        return rows && (!Array.isArray(rows) || rows.length > 0) ? [] : [type]
      })
    },
    'types that are not supported are refused': (market) =>
      ['allMids', 'orderUpdates'].filter((type) => {
        const subscription = { type, user: market.persona('star') }
        const frames = market.converse([{ method: 'subscribe', subscription }])
        return !frames.some(({ channel }) => channel === 'error')
      }),
  },
  'Events, pushes of addresses': {
    'fills of takers and makers, on both sides, with and without a gain': (market) => {
      const rows = pushed(market, '/hl/ws/fills')
      return [
        ['crossed', both(rows, ({ crossed }) => crossed)],
        ['side', both(rows, ({ side }) => side === 'B')],
        ['twapId', both(rows, ({ twapId }) => twapId === null)],
        ['closedPnl', both(rows, ({ closedPnl }) => Number(closedPnl) === 0)],
        ['address', new Set(rows.map(({ address }) => address)).size > 1],
      ].flatMap(([name, isSeen]) => (isSeen ? [] : [name]))
    },
    'filled orders of several types and times in force': (market) => {
      const rows = pushed(market, '/hl/ws/filled-orders')
      return [
        ['side', both(rows, ({ side }) => side === 'B')],
        ['cloid', both(rows, ({ cloid }) => cloid === null)],
        ['reduceOnly', both(rows, ({ reduceOnly }) => reduceOnly)],
        ['tif', new Set(rows.map(({ tif }) => tif)).size > 2],
        ['orderType', new Set(rows.map(({ orderType }) => orderType)).size > 1],
        ['placeTs', both(rows, ({ placeTs, ts }) => placeTs === ts)],
        ['sz', all(rows, ({ sz }) => sz !== undefined)],
      ].flatMap(([name, isSeen]) => (isSeen ? [] : [name]))
    },
    'states of several accounts, one of another dex': (market) => {
      const rows = pushed(market, '/hl/ws/clearinghouse-state')
      const users = new Set(rows.map(({ address }) => address))
      const dexs = pushed(market, '/hl/ws/clearinghouse-state?dex=xyz')
      return (
        users.size > 1 &&
        rows.length > users.size &&
        dexs.some(({ state }) => state.assetPositions.length > 0)
      )
    },
    'a ping, and figures of a connection, are answered on the channels of addresses': (market) => {
      const frames = market.heard('/hl/ws/fills') as unknown as Row[]
      const stat = frames.find(({ type }) => type === 'stat')
      return stat?.data.addressCount > 1 && frames.some(({ type }) => type === 'pong')
    },
    'an account is liquidated, another pays funding': (market) => {
      const ledger = info(market, 'userNonFundingLedgerUpdates', {
        user: market.persona('liquidatedLastNight'),
      }) as Row[]
      return new Set(ledger.map(({ delta }) => delta.type)).size > 1
    },
  },
}

/** Data of the pushes of a user channel. */
const pushed = (market: RequestedMarket, path: string): Row[] =>
  (market.heard(path) as unknown as Row[]).flatMap(({ data, type, channel }) =>
    type === 'data' || channel === 'clearinghouseState' ? [data] : [],
  )
