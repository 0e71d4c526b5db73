import { signed } from '../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

export const index: QuestionTrials = {
  'index-info-signature': {
    async see(answer) {
      const get = await recordedGetter({ 'index-info-signature': answer })
      const { status, body } = get('/index/indexInfo?key=i:total:index')
      return [status, body.data?.show]
    },
    expected: { signed: [401, undefined], open: [200, 'TOTAL'] },
  },
  'index-without-price': {
    async see(answer) {
      const get = await recordedGetter({ 'index-without-price': answer })
      const { list, count } = get(`/index/getIndex?${signed()}`).data
      const prices = list.map(({ price }: { price: string }) => price)
      return [count, prices.filter((price: string) => price === '-').length]
    },
    expected: { none: ['8', 0], dash: ['10', 2] },
  },
  'index-unknown': {
    async see(answer) {
      const get = await recordedGetter({ 'index-unknown': answer })
      return ['indexPrice', 'indexInfo'].map((path) => {
        const { status, body } = get(`/index/${path}?key=fearGreedy&${signed()}`)
        return [status, body.success, body.errorCode, body.error]
      })
    },
    expected: {
      '304': Array(2).fill([200, false, 304, 'invalid_key']),
      '400': Array(2).fill([400, false, 400, 'invalid_key']),
    },
  },
}
