import type { Answers } from '../../../../src/contract/questions.ts'
import { memoryTransport } from '../../../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../../fixtures/default-recording.ts'
import { signed } from '../../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../../fixtures/question-trial.ts'

async function market(questions: Partial<Answers>) {
  const { registry, cast } = await recordedRegistry({ questions })
  const { request } = memoryTransport(registry)
  const card = cast() as unknown as {
    openPositions: { address: string; coin: string }[]
    completedPositions: { address: string; coin: string }[]
  }
  const ask = (method: string, path: string, body?: object) => {
    const mark = path.includes('?') ? '&' : '?'
    const text = body === undefined ? '' : JSON.stringify(body)
    const { status, body: answer } = request(method, `${PREFIX}${path}${mark}${signed()}`, text)
    return { status, data: JSON.parse(answer).data }
  }
  return { ask, open: card.openPositions[0], closed: card.completedPositions[0] }
}

export const positions: QuestionTrials = {
  'completed-by-time-form': {
    async see(answer) {
      const { ask, closed } = await market({ 'completed-by-time-form': answer })
      const path = `/hl/traders/${closed?.address}/completed-trades/by-time`
      const { data } = ask('POST', path, { pageSize: 1 })
      return Object.keys(Array.isArray(data) ? data[0] : data).slice(0, 2)
    },
    expected: { paged: ['list', 'total'], seen: ['coin', 'direction'] },
  },
  'completed-by-time-coin': {
    async see(answer) {
      const { ask, closed } = await market({ 'completed-by-time-coin': answer })
      const path = `/hl/traders/${closed?.address}/completed-trades/by-time`
      return ask('POST', path, { coin: 'NONE' }).data.total > 0
    },
    expected: { ignored: true, counts: false },
  },
  'trader-period': {
    async see(answer) {
      const { ask, closed } = await market({ 'trader-period': answer })
      const path = `/hl/traders/${closed?.address}/addr-stat`
      const { status, data } = ask('GET', path)
      const same = ['7', '0'].filter((period) => {
        const other = ask('GET', `${path}?period=${period}`).data
        return JSON.stringify(other) === JSON.stringify(data)
      })
      return [status, same]
    },
    expected: { '7': [200, ['7']], '0': [200, ['0']], refuse: [400, []] },
  },
  'position-interval': {
    async see(answer) {
      const { ask, open } = await market({ 'position-interval': answer })
      const path = `/hl/traders/${open?.address}/current-position-pnl`
      const { status, data } = ask('GET', `${path}/${encodeURIComponent(open?.coin ?? '')}`)
      return [status, data?.interval]
    },
    expected: { '1h': [200, '1h'], refuse: [400, undefined] },
  },
  'position-absent': {
    async see(answer) {
      const { ask, open } = await market({ 'position-absent': answer })
      const path = `/hl/traders/${open?.address}/completed-position-pnl/BTC?startTime=1`
      return ask('GET', path).status
    },
    expected: { '400': 400, '200': 200 },
  },
  'position-liquidation-name': {
    async see(answer) {
      const { ask, open } = await market({ 'position-liquidation-name': answer })
      const path = `/hl/traders/${open?.address}/current-position-history`
      const { data } = ask('GET', `${path}/${encodeURIComponent(open?.coin ?? '')}`)
      return ['liquidationPx', 'liqPrice'].filter((name) => name in data.history[0])
    },
    expected: { liquidationPx: ['liquidationPx'], liqPrice: ['liqPrice'] },
  },
}
