/** Signals, content, and states that clients reach: probes of the default world. */
import {
  alertsOf,
  both,
  CHANGE_TYPES,
  coinKeysOf,
  DAY_MS,
  type Distinctions,
  differs,
  FLASH_TYPES,
  flashesOf,
  get,
  post,
  type Row,
  STRATEGIES,
  signs,
} from './looks.ts'

export const CONTENT_DISTINCTIONS: Distinctions = {
  Signals: {
    'both sides': (market) => {
      return both(alertsOf(market), ({ side }) => side === 'buy')
    },
    'every change signal': (market) =>
      CHANGE_TYPES.filter(
        (type) => get(market, '/signal/changeSignal', { type: `${type}` }).list.length === 0,
      ),
    'every strategy has signals': (market) =>
      STRATEGIES.filter(
        (signal_key) =>
          get(market, '/signal/strategySignal', { coin_type: 'btc', signal_key }).list.length === 0,
      ),
    'a strategy has more than a page of 100': (market) =>
      STRATEGIES.some((signal_key) => {
        const query = { coin_type: 'btc', signal_key, latest_time: `${market.nowMs - 30 * DAY_MS}` }
        return get(market, '/signal/strategySignal', query).list.length === 100
      }),
    'strategies for spot and futures': (market) => {
      const { supportList } = get(market, '/signal/strategySignal', {
        coin_type: 'btc',
        signal_key: 'td_buy_one',
      })
      return both(supportList, ({ category }) => category === 'spot')
    },
    'a signal is settled, another is not': (market) => {
      const { list, mapping } = get(market, '/signal/strategySignal', {
        coin_type: 'btc',
        signal_key: 'td_buy_one',
      })
      const at = mapping.indexOf('state')
      return new Set(list.map((row: string[]) => row[at])).size > 1
    },
    'sides of strategy signals': (market) =>
      STRATEGIES.some((signal_key) => {
        const { list, mapping } = get(market, '/signal/strategySignal', {
          coin_type: 'btc',
          signal_key,
        })
        const at = mapping.indexOf('side')
        return new Set(list.map((row: string[]) => row[at])).size > 1
      }),
    'navigation has pairs and indexes': (market) => {
      const rows = get(market, '/mix/nav', { lan: 'en' })
      return both(rows, ({ key_type }) => `${key_type}` === '1')
    },
    'navigation has trades for some': (market) =>
      both(get(market, '/mix/nav', { lan: 'en' }), ({ trades }) => trades.length > 0),
    'the long/short ratio changes': (market) => {
      const { last, last_day, last_week } = get(market, '/mix/ls-ratio').detail
      return differs(last, last_day, last_week)
    },
    'fund scales grow and shrink': (market) =>
      signs(
        Object.values(
          get(market, '/mix/fundco-scale', { coins: 'btc,ltc,eth,bch,xrp,xlm,zec,zen,etc' }).detail,
        ),
        ({ day_change }) => day_change,
      ),
    'liquidations by coin and by market differ': (market) => {
      const of = (query: object) => JSON.stringify(get(market, '/mix/liq', query).detail)
      return differs(
        of({}),
        of({ type: '1', coinKey: coinKeysOf(market)[0] }),
        of({ currency: 'usd' }),
      )
    },
    'the largest liquidation of a day is on another market than the hour': (market) => {
      const { liq1h, liq24h, liqLong1h, liqShort1h } = get(market, '/mix/liq').detail
      return differs(liq1h, liq24h, liqLong1h, liqShort1h)
    },
  },
  Content: {
    'every kind of industry flash': (market) => {
      const seen = new Set(flashesOf(market).map(({ flashType }) => flashType))
      return FLASH_TYPES.filter((type) => !seen.has(type))
    },
    'languages of newsflashes differ': (market) => {
      const of = (language: string) =>
        JSON.stringify(get(market, '/content/newsflash', { language }))
      return differs(of('cn'), of('tc'), of('en'))
    },
    'several columnists': (market) =>
      new Set(
        get(market, '/content/newsflash', { language: 'en' }).map(
          ({ columnist }: Row) => columnist.nick_name,
        ),
      ).size > 1,
    'news in Chinese and English': (market) => {
      const rows = [1, 2, 3, 4].flatMap((page) =>
        get(market, '/content/news-list', { page: `${page}`, pageSize: '20' }),
      )
      return both(rows, ({ language }) => language === 11)
    },
    'a second page of news': (market) =>
      get(market, '/content/news-list', { page: '2', pageSize: '20' }).length === 20,
    'a second page of square news': (market) =>
      get(market, '/content/square/market/news-list', { page: '2', pageSize: '20' }).length > 0,
    'some news name a source': (market) => {
      const rows = get(market, '/content/news-list', { pageSize: '20' }) as Row[]
      const details = rows.map(({ id }) => get(market, '/content/news-detail', { id: `${id}` }))
      return both(details, (row) => row.source !== undefined)
    },
    'listing flashes of other members than the usual two': (market) => {
      const of = (query: object) =>
        JSON.stringify(get(market, '/content/exchange-listing-flash', query))
      return of({}) !== of({ memberIds: '477' })
    },
    'more listing flashes than the default of 20': (market) =>
      get(market, '/content/exchange-listing-flash', { pageSize: '60' }).length > 20,
    'insights in three languages': (market) => {
      const coinKeys = coinKeysOf(market).slice(0, 3)
      const of = (language: string) =>
        JSON.stringify(post(market, '/content/ai-coins', { coinKeys, language }).list)
      return differs(of('CN'), of('EN'), of('TC'))
    },
  },
  'States and transitions': {
    'an alert is deleted, and one that is not there cannot be': (market) => {
      const { list } = get(market, '/signal/getSignalAlertSetList')
      const [{ id }] = list
      const results = [id, id].map(
        (one) => get(market, '/signal/delSignalAlert', { id: one }).result as string,
      )
      return differs(...results)
    },
    'a subscription has each of its four states': (market) => {
      const subscription = { type: 'bbo', coin: 'BTC' }
      const methods = ['subscribe', 'subscribe', 'unsubscribe', 'unsubscribe']
      const seen = market.converse(methods.map((method) => ({ method, subscription })))
      const answers = seen.filter(({ channel }) => channel === 'subscriptionResponse')
      return (
        answers.map(({ data }) => data.status).join() ===
          'subscribed,alreadySubscribed,unsubscribed,notSubscribed' &&
        answers.map(({ data }) => data.activeCount).join() === '1,1,0,0'
      )
    },
    'a channel of addresses has neither status nor activeCount': (market) => {
      const subscription = { type: 'userFills', user: market.persona('star') }
      const [answer] = market.converse([{ method: 'subscribe', subscription }])
      return answer?.channel === 'subscriptionResponse' && !('status' in answer.data)
    },
    'a ping is answered on /ws': (market) =>
      market.converse([{ method: 'ping' }]).some(({ channel }) => channel === 'pong'),
  },
}
