import { signed } from '../../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../../fixtures/question-trial.ts'
import { recordedGetter } from '../../../fixtures/recorded-answers.ts'

const MINUTE_MS = 60_000

export const liquidations: QuestionTrials = {
  'liquidation-window': {
    async see(answer) {
      // The recording's liquidations fall into its thirteenth and fourteenth minute.
      const get = await recordedGetter({ 'liquidation-window': answer }, 16 * MINUTE_MS)
      const totals = get(`/hl/liquidations/stat?${signed('demo', -1)}`)
      const coins = get(`/hl/liquidations/stat-by-coin?${signed('demo', -1)}`)
      return [totals.data.longLiquidations > 0, coins.data.length > 0]
    },
    expected: { '1m': [false, false], '1h': [true, true], '1d': [true, true] },
  },
  'top-positions-interval': {
    async see(answer) {
      const get = await recordedGetter({ 'top-positions-interval': answer }, 16 * MINUTE_MS)
      const ask = (interval: string) =>
        get(`/hl/liquidations/top-positions?coin=BTC${interval}&${signed('demo', -1)}`)
      const { status, body, data } = ask('')
      // The day has some that are not in the last minute.
      const alike = ['1d', '1m'].map((interval) =>
        Bun.deepEquals(data, ask(`&interval=${interval}`).data),
      )
      return [status, body.msg, ...alike]
    },
    expected: {
      '1d': [200, 'success', true, false],
      refuse: [400, 'missing required parameter: interval', false, false],
    },
  },
  'estimated-heatmap-interval': {
    async see(answer) {
      const get = await recordedGetter({ 'estimated-heatmap-interval': answer })
      const path = '/hl/liquidations/estimated-heatmap?coin='
      const total = (query: string) =>
        ['BTC', 'ETH', 'SOL'].map((coin) => {
          const { longTotal, shortTotal } = get(`${path}${coin}${query}&${signed()}`).data
          return Number(longTotal) + Number(shortTotal)
        })
      const [usual, month, day] = [total(''), total('&interval=60d'), total('&interval=1d')]
      return [Bun.deepEquals(usual, month), Bun.deepEquals(usual, day)]
    },
    expected: { all: [true, false], day: [false, true] },
  },
}
