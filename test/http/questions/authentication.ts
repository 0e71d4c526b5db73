import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../../fixtures/fake-market.ts'
import { getter, PREFIX, type QuestionTrials } from '../../fixtures/question-trial.ts'

export const authentication: QuestionTrials = {
  'nonce-reuse': {
    async see(answer) {
      const get = await getter({ 'nonce-reuse': answer })
      const query = signed()
      return [1, 2].map(() => get(`/hl/tickers?${query}`).status)
    },
    expected: { accept: [200, 200], reject: [200, 401] },
  },
  'disabled-key': {
    async see(answer) {
      const registry = await fakeRegistry({ questions: { 'disabled-key': answer } })
      const { keys, tenancy } = registry.get('default') as Sandbox
      tenancy.addKey({ ...keys.sub, status: 'disabled' })
      return memoryTransport(registry).request('GET', `${PREFIX}/hl/tickers?${signed('demo-sub')}`)
        .status
    },
    expected: { signature: 401, permission: 403 },
  },
}
