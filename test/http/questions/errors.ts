import { signed } from '../../fixtures/fake-market.ts'
import { getter, type QuestionTrials } from '../../fixtures/question-trial.ts'

export const errors: QuestionTrials = {
  'refusal-status': {
    async see(answer) {
      const get = await getter({ 'refusal-status': answer })
      return ['/coin', `/coin/ticker?${signed()}`].map((path) => get(path).status)
    },
    expected: { http: [401, 400], ok: [200, 200] },
  },
}
