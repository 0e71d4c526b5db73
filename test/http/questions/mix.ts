import { signed } from '../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

export const mix: QuestionTrials = {
  'fundco-scale-unit': {
    async see(answer) {
      const get = await recordedGetter({ 'fundco-scale-unit': answer })
      const { detail } = get(`/mix/fundco-scale?${signed()}`).data
      const [ticker] = get(`/coin/ticker?coin_list=bitcoin&${signed()}`).data
      const coins = 170_000 < detail.btc.total && detail.btc.total < 182_000
      const dollars = detail.btc.total / ticker.price_usd
      return [coins, 170_000 < dollars && dollars < 182_000, 'zec' in detail]
    },
    expected: { coin: [true, false, true], usd: [false, true, false] },
  },
  'nav-trades': {
    async see(answer) {
      const get = await recordedGetter({ 'nav-trades': answer })
      const [bitcoin] = get(`/mix/nav?${signed()}`).data
      return [bitcoin.trades.length, bitcoin.trades[0]?.price === bitcoin.last]
    },
    expected: { recent: [5, true], empty: [0, false] },
  },
  'stock-market-form': {
    async see(answer) {
      const get = await recordedGetter({ 'stock-market-form': answer })
      const { detail } = get(`/mix/stock-market?${signed()}`).data
      const keys = [detail].flat().map(({ key }) => key)
      return [Array.isArray(detail), keys[0], keys.includes('i:coin:nasdaq')]
    },
    expected: {
      one: [false, 'i:cryptoeq:index', false],
      list: [true, 'i:cryptoeq:index', true],
    },
  },
}
