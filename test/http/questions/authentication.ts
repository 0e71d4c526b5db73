import { signed } from '../../fixtures/fake-market.ts'
import { getter, type QuestionTrials } from '../../fixtures/question-trial.ts'

export const authentication: QuestionTrials = {
  'nonce-reuse': {
    async see(answer) {
      const get = await getter({ 'nonce-reuse': answer })
      const query = signed()
      return [1, 2].map(() => get(`/hl/tickers?${query}`).status)
    },
    expected: { accept: [200, 200], reject: [200, 401] },
  },
  'refusal-status': {
    async see(answer) {
      const get = await getter({ 'refusal-status': answer })
      return ['/coin', `/coin/ticker?${signed()}`].map((path) => get(path).status)
    },
    expected: { http: [401, 400], ok: [200, 200] },
  },
}
