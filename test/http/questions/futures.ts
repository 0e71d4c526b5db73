import { signed } from '../../fixtures/fake-market.ts'
import { getter, type QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter, recordedMarket } from '../../fixtures/recorded-answers.ts'

export const futures: QuestionTrials = {
  'unknown-pair': {
    async see(answer) {
      const get = await getter({ 'unknown-pair': answer })
      const full = get(`/futures/full-depth?dbKey=x:y&${signed()}`)
      const grouped = get(`/futures/full-depth/grouped?dbKey=x:y&groupSize=1&${signed()}`)
      return [full, grouped].map(({ status, data }) => [status, data?.bids])
    },
    expected: {
      refuse: [
        [400, undefined],
        [400, undefined],
      ],
      empty: [
        [200, []],
        [200, []],
      ],
    },
  },
  'unknown-symbol': {
    async see(answer) {
      const get = await recordedGetter({ 'unknown-symbol': answer })
      return ['funding-rate/history', 'liquidation/history'].map((path) => {
        const { status, data } = get(`/futures/${path}?symbol=x:y&interval=1m&${signed()}`)
        return [status, data]
      })
    },
    expected: {
      refuse: [
        [400, null],
        [400, null],
      ],
      empty: [
        [200, []],
        [200, []],
      ],
    },
  },
  'latest-depth-size': {
    async see(answer) {
      const { ask, symbol } = await recordedMarket({ 'latest-depth-size': answer })
      return ask('GET', `/futures/latest-depth?dbKey=${symbol}`).max
    },
    expected: { '20': 20, '100': 100, '500': 500 },
  },
  'history-coverage': {
    async see(answer) {
      const get = await recordedGetter({ 'history-coverage': answer })
      const rows = (path: string) => get(`/futures/${path}&limit=1&${signed()}`).data.length
      return [
        rows('funding-rate/history?symbol=btcswapusdt:binance&interval=8h'),
        rows('funding-rate/history?symbol=btcswapusdt:binance&interval=1h'),
        rows('funding-rate/history?symbol=ethswapusdt:binance&interval=8h'),
        rows('open-interest/aggregated-stablecoin-history?symbol=ETH&interval=1h'),
      ]
    },
    expected: { all: [1, 1, 1, 1], seen: [1, 0, 0, 0] },
  },
  'history-excess': {
    async see(answer) {
      const get = await recordedGetter({ 'history-excess': answer })
      const path = '/futures/funding-rate/history?symbol=btcswapusdt:okex&interval=1h'
      const all = get(`${path}&limit=9&${signed()}`).data
      const { data } = get(`${path}&limit=2&start_time=${all[0].time}&${signed()}`)
      return all.findIndex(({ time }: { time: number }) => time === data[0].time)
    },
    expected: { newest: 7, oldest: 0 },
  },
  'funding-history-code': {
    async see(answer) {
      const get = await recordedGetter({ 'funding-history-code': answer })
      const query = `symbol=btcswapusdt:okex&interval=8h&limit=1&${signed()}`
      const { body } = get(`/futures/funding-rate/history?${query}`)
      return [body.code, body.message, body.msg]
    },
    expected: { text: ['0', 'success', undefined], integer: [0, 'success', undefined] },
  },
  'coin-margin-coins': {
    async see(answer) {
      const get = await recordedGetter({ 'coin-margin-coins': answer })
      const path = '/futures/open-interest/aggregated-coin-margin-history'
      return ['BTC', 'ETH'].map((symbol) => {
        const { status, body } = get(`${path}?symbol=${symbol}&interval=15m&${signed()}`)
        return [status, body.msg]
      })
    },
    expected: {
      all: [
        [200, 'success'],
        [200, 'success'],
      ],
      btc: [
        [200, 'success'],
        [400, 'Only BTC-related symbols are supported'],
      ],
    },
  },
  'quiet-liquidations': {
    async see(answer) {
      // The recording's liquidations fall into its thirteenth and fourteenth minute.
      const get = await recordedGetter({ 'quiet-liquidations': answer }, 15 * 60_000)
      const query = `symbol=btcswapusdc:hl&interval=1m&limit=8&${signed('demo', -1)}`
      return get(`/futures/liquidation/history?${query}`).data.length
    },
    expected: { zero: 8, absent: 2 },
  },
  'estimated-liquidation-cells': {
    async see(answer) {
      const get = await recordedGetter({ 'estimated-liquidation-cells': answer })
      const query = `dbkey=btcswapusdt:okex&cycle=24h&limit=1&leverage=10&${signed()}`
      const [newest] = get(`/futures/estimated-liquidation/history?${query}`).data
      return newest.data_map['10'].long[0].map((value: unknown) => typeof value)
    },
    expected: {
      text: ['string', 'string', 'string'],
      number: ['number', 'number', 'number'],
    },
  },
  'futures-interest-fields': {
    async see(answer) {
      const get = await recordedGetter({ 'futures-interest-fields': answer })
      const { list } = get(`/futures/interest?currency=usd&${signed()}`).data
      const hl = list.find(({ key }: { key: string }) => key === 'btcswapusdc:hl')
      const [ticker] = get(`/coin/ticker?coin_list=bitcoin&${signed()}`).data
      const pairs = list.filter(({ key }: { key: string }) => key.startsWith('btcswap'))
      const sum = (name: 'trade' | 'vol_coin') =>
        pairs.reduce((total: number, one: Record<string, string>) => total + Number(one[name]), 0)
      // The other part of a coin's turnover is that of spot.
      const isPart = (part: number, all: string) => part > Number(all) / 2 && part < Number(all)
      return [
        isPart(sum('trade'), ticker.trade_24h_usd),
        isPart(sum('vol_coin'), ticker.vol_24h),
        hl.vol_coin === hl.trend.at(-1).close,
      ]
    },
    expected: { interest: [false, false, true], turnover: [true, true, false] },
  },
}
