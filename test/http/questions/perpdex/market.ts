import type { QuestionTrials } from '../../../fixtures/question-trial.ts'
import { perpdexGetter, recordedMarket, type TextRow } from '../../../fixtures/recorded-answers.ts'

export const market: QuestionTrials = {
  'top-coins-window': {
    async see(answer) {
      const get = await perpdexGetter({ 'top-coins-window': answer })
      const { totalPv } = get('/open-interest/summary').data
      const rows = get('/open-interest/top-coins?interval=15m').data as TextRow[]
      const total = rows.reduce((sum, row) => sum + Number(row.totalPv), 0)
      return Math.abs(total - Number(totalPv)) < 1
    },
    expected: { traded: true, opened: false },
  },
  'open-interest-step': {
    async see(answer) {
      const get = await perpdexGetter({ 'open-interest-step': answer })
      return ['3d', '15m'].map(
        (interval) => get(`/open-interest/history/BTC?interval=${interval}`).data.length,
      )
    },
    expected: { few: [4, 4], fine: [73, 16] },
  },
  'taker-delta-interval': {
    async see(answer) {
      const get = await perpdexGetter({ 'taker-delta-interval': answer })
      const { status, body } = get('/accumulated-taker-delta/BTC')
      const hour = get('/accumulated-taker-delta/BTC?interval=1h').data
      return [status, body.msg, body.data?.szDelta === hour.szDelta]
    },
    expected: {
      hour: [200, 'success', true],
      refuse: [400, 'missing required parameter: interval', false],
    },
  },
  'book-summary-unit': {
    async see(answer) {
      const get = await perpdexGetter({ 'book-summary-unit': answer })
      const last = get('/orderbooks/history-summaries/BTC').data.at(-1)
      return Number(last.bidVolume) > 100_000
    },
    expected: { coin: false, usd: true },
  },
  'info-types': {
    async see(answer) {
      const { ask } = await recordedMarket({ 'info-types': answer })
      return ask('POST', '/hl/info', '{"type":"exchangeStatus"}') !== null
    },
    expected: { documented: false, all: true },
  },
}
