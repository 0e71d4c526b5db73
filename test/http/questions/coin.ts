import { signed } from '../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

export const coin: QuestionTrials = {
  'coin-ticker-variant': {
    async see(answer) {
      const get = await recordedGetter({ 'coin-ticker-variant': answer })
      const [ticker] = get(`/coin/ticker?coin_list=bitcoin&${signed()}`).data
      const query = `symbol=btcswapusdt&interval=1m&limit=1&${signed()}`
      const { data } = get(`/futures/funding-rate/vol-weight-history?${query}`)
      const rate = 'usdt_funding_rate' in ticker && ticker.usdt_funding_rate === data[0].close
      return ['degree_7day_usd' in ticker, 'fundNetIn_24h_cny' in ticker, rate]
    },
    expected: { current: [true, true, false], older: [false, false, true] },
  },
}
