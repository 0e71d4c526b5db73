import type { Answers } from '../../../src/contract/questions.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../fixtures/question-trial.ts'

/** A sub key with one request left, in the minute or in the month, and then none. */
async function spent(questions: Partial<Answers>, limit: 'rate' | 'month') {
  const registry = await fakeRegistry({ questions })
  const { tenancy, keys } = registry.get('default') as Sandbox
  const own = limit === 'rate' ? { ratePerMinute: 1 } : { monthlyQuota: 1 }
  tenancy.addKey({ ...keys.sub, limits: { ...keys.sub.limits, ...own } })
  const { request } = memoryTransport(registry)
  const ask = () => request('GET', `${PREFIX}/hl/tickers?${signed('demo-sub')}`)
  ask()
  const { status, headers, body } = ask()
  return [status, headers?.['retry-after'] !== undefined, JSON.parse(body).code]
}

const byLimitAnswer = {
  '429': [429, false, '429'],
  'retry-after': [429, true, '429'],
  '403': [403, false, '403'],
  '200': [200, false, '429'],
}

export const limits: QuestionTrials = {
  'over-rate': {
    see: (answer) => spent({ 'over-rate': answer }, 'rate'),
    expected: byLimitAnswer,
  },
  'over-quota': {
    see: (answer) => spent({ 'over-quota': answer }, 'month'),
    expected: byLimitAnswer,
  },
  'over-time-range': {
    async see(answer) {
      const registry = await fakeRegistry({ questions: { 'over-time-range': answer } })
      const sandbox = registry.get('default') as Sandbox
      const { keys, tenancy } = sandbox
      const maxS = { ...keys.sub.limits, maxTimeRangeS: 60 }
      tenancy.addKey({ ...keys.sub, kind: 'direct', grants: null, limits: maxS })
      const body = { type: 'userFillsByTime', user: `0x${'0'.repeat(40)}`, startTime: 0 }
      const path = `${PREFIX}/hl/info?${signed('demo-sub')}`
      return memoryTransport(registry).request('POST', path, JSON.stringify(body)).status
    },
    expected: { refuse: 400, cut: 200 },
  },
  'default-time-range': {
    async see(answer) {
      const registry = await fakeRegistry({ questions: { 'default-time-range': answer } })
      const { keys, tenancy } = registry.get('default') as Sandbox
      const limits = { ...keys.full.limits, maxTimeRangeS: 3_600 }
      tenancy.addKey({ ...keys.full, limits })
      const path = `${PREFIX}/hl/open-interest/history/BTC?${signed()}`
      const { status, body } = memoryTransport(registry).request('GET', path)
      return [status, JSON.parse(body).data]
    },
    expected: { free: [200, [259_200_000]], counts: [400, null], cut: [200, [3_600_000]] },
  },
  'other-key-limits': {
    async see(answer) {
      const { request } = memoryTransport(
        await fakeRegistry({ questions: { 'other-key-limits': answer } }),
      )
      const ask = () => request('GET', `${PREFIX}/hl/tickers?${signed()}`).status
      let count = 0
      while (count < 2_000 && ask() === 200) count++
      return count
    },
    expected: { none: 2_000, free: 15, basic: 30, standard: 80, advanced: 300, pro: 1_200 },
  },
}
