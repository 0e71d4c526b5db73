import type { QuestionTrials } from '../../../fixtures/question-trial.ts'
import { perpdexGetter, type TextRow } from '../../../fixtures/recorded-answers.ts'

const ascends = (times: number[]) => times.join() === times.toSorted((a, b) => a - b).join()

export const whales: QuestionTrials = {
  'whale-funding-sign': {
    async see(answer) {
      const get = await perpdexGetter({ 'whale-funding-sign': answer })
      const rows = get('/whales/open-positions?frSide=loss').data as TextRow[]
      return rows.length > 0 && rows.every(({ fundingFee }) => Number(fundingFee) > 0)
    },
    expected: { paid: true, received: false },
  },
  'whale-ratio-order': {
    async see(answer) {
      const get = await perpdexGetter({ 'whale-ratio-order': answer })
      const rows = get('/whales/history-long-ratio?interval=1d').data as { time: number }[]
      return ascends(rows.map(({ time }) => time))
    },
    expected: { oldest: true, newest: false },
  },
  'whale-event-coin': {
    async see(answer) {
      const get = await perpdexGetter({ 'whale-event-coin': answer })
      const rows = get('/whales/latest-events?coin=HYPE&limit=100').data as TextRow[]
      return new Set(rows.map(({ symbol }) => symbol)).size === 1
    },
    expected: { filtered: true, ignored: false },
  },
}
