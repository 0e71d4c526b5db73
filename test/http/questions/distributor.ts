import type { Answers } from '../../../src/contract/questions.ts'
import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../fixtures/question-trial.ts'

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 9 },
  permissions: [],
}

export const distributor: QuestionTrials = {
  'level-absent': {
    async see(answer) {
      const ask = await asker({ 'level-absent': answer })
      return ['GET', 'DELETE'].map((method) => ask(method, '/distributor/levels/none').status)
    },
    expected: { '404': [404, 404], '400': [400, 400] },
  },
  'level-delete-answer': {
    async see(answer) {
      const ask = await asker({ 'level-delete-answer': answer })
      return Object.keys(JSON.parse(ask('DELETE', '/distributor/levels/bare').body)).sort()
    },
    expected: {
      message: ['message', 'success'],
      bare: ['success'],
      data: ['data', 'message', 'success'],
    },
  },
  'distributor-refusal': {
    async see(answer) {
      const ask = await asker({ 'distributor-refusal': answer })
      const { request_limits, permissions } = LEVEL
      const bodies = [
        { permissions },
        { request_limits, permissions: [{ actions: [] }] },
        { request_limits, permissions: [{ resource_type: 'futures', actions: [] }] },
        { request_limits, permissions: [{ resource_type: 'perpdex', actions: ['NONE'] }] },
        { request_limits, permissions: 'all' },
        [],
      ]
      const put = (body: unknown) => {
        const refused = ask('PUT', '/distributor/levels/one', 'demo-partner', JSON.stringify(body))
        return 'msg' in JSON.parse(refused.body) ? 'B' : 'C'
      }
      return bodies.map(put).join('')
    },
    expected: { 'by-flaw': 'BBCCCC', C: 'CCCCCC', B: 'BBBBBB' },
  },
  'sub-key-open-endpoints': {
    async see(answer) {
      const ask = await asker({ 'sub-key-open-endpoints': answer })
      return ['demo-sub', 'demo-bare'].map((key) => ask('GET', '/coin', key).status)
    },
    expected: { granted: [200, 403], never: [403, 403] },
  },
  'sub-key-paths': {
    async see(answer) {
      const ask = await asker({ 'sub-key-paths': answer })
      return ask('GET', '/distributor/sub-keys').status
    },
    expected: { control: 404, mirrored: 200 },
  },
}

async function asker(questions: Partial<Answers>) {
  const { request } = memoryTransport(await fakeRegistry({ questions }))
  return (method: string, path: string, key = 'demo-partner', body?: string) =>
    request(method, `${PREFIX}${path}?${signed(key)}`, body)
}
