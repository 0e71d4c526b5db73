import type { Answers } from '../../../src/contract/questions.ts'
import { signed } from '../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

const PAIR = 'symbol=btcswapusdt:binance'

/** Requests a k-line of an indicator, or the plain one. */
async function kline(questions: Partial<Answers>, query: string, path = 'indicatorKline') {
  const get = await recordedGetter(questions)
  return get(`/${path}/dataRecords?${query}&${signed()}`)
}

export const indicator: QuestionTrials = {
  'indicator-form': {
    async see(answer) {
      const query = `${PAIR}&indicator_key=fundflow&size=3`
      const { kline_data } = (await kline({ 'indicator-form': answer }, query)).data
      return Array.isArray(kline_data)
        ? [kline_data.length, Object.keys(kline_data[0])]
        : [Object.keys(kline_data), kline_data.value.length]
    },
    expected: { columns: [['time', 'value'], 3], records: [3, ['time', 'value']] },
  },
  'indicator-unknown': {
    async see(answer) {
      const get = await recordedGetter({ 'indicator-unknown': answer })
      return [
        `/indicatorKline/dataRecords?symbol=x:y&indicator_key=fr`,
        `/indicatorKline/dataRecords?${PAIR}&indicator_key=nothing`,
        `/indicatorKline/getTradingPair?coinType=BTC&indicator_key=nothing`,
        '/commonKline/dataRecords?symbol=x:y',
      ].map((path) => {
        const { status, data } = get(`${path}&${signed()}`)
        return [status, data]
      })
    },
    expected: {
      empty: [
        [200, { kline_data: { fundingTime: [], time: [], fundingRate: [] } }],
        [200, { kline_data: {} }],
        [200, { list: [] }],
        [200, { kline_data: [] }],
      ],
      refuse: Array(4).fill([400, null]),
    },
  },
  'kline-numbers': {
    async see(answer) {
      const query = 'symbol=btcswapusdt:okex&size=1'
      const { data } = await kline({ 'kline-numbers': answer }, query, 'commonKline')
      return data.kline_data[0].map((value: unknown) => typeof value)
    },
    expected: {
      number: Array(6).fill('number'),
      text: ['number', ...Array(5).fill('string')],
    },
  },
  'kline-since': {
    async see(answer) {
      const get = await recordedGetter({ 'kline-since': answer })
      const path = `/indicatorKline/dataRecords?${PAIR}&indicator_key=bsv&period=3600`
      const { time: all } = get(`${path}&size=9&${signed()}`).data.kline_data
      const query = `size=3&since=${all[4] + 60}&${signed()}`
      const { time } = get(`${path}&${query}`).data.kline_data
      return time.map((one: number) => all.indexOf(one))
    },
    expected: { end: [2, 3, 4], begin: [4, 5, 6] },
  },
  'trading-pair-parts': {
    async see(answer) {
      const get = await recordedGetter({ 'trading-pair-parts': answer })
      const query = `coinType=bitcoin&indicator_key=fr&${signed()}`
      return get(`/indicatorKline/getTradingPair?${query}`).data.list[1]
    },
    expected: {
      name: ['btcswapusdt:binance', 'BTC/USDT swap on binance'],
      split: ['btcswapusdt', 'binance'],
    },
  },
  'large-trade-accounts': {
    async see(answer) {
      const query = `${PAIR}&indicator_key=aibst&period=86400&size=2`
      const { kline_data } = (await kline({ 'large-trade-accounts': answer }, query)).data
      return Number(kline_data.buyAccount[0]) > 100_000
    },
    expected: { accounts: false, value: true },
  },
  'aggregate-trade-type': {
    async see(answer) {
      const query = `${PAIR}&indicator_key=aiaggtrade&size=100`
      const { kline_data } = (await kline({ 'aggregate-trade-type': answer }, query)).data
      return [...new Set(kline_data.trade_type)].sort()
    },
    expected: { side: ['buy', 'sell'], market: ['futures'] },
  },
}
