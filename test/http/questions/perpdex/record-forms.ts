import { addressFilledOrders } from '../../../../src/contract/channels/address-filled-orders.ts'
import type { Facts } from '../../../../src/contract/facts.ts'
import { type Answers, DEFAULT_ANSWERS } from '../../../../src/contract/questions.ts'
import type { FilledOrder } from '../../../../src/contract/records/order.ts'
import type { TimelineEvent } from '../../../../src/contract/timeline.ts'
import { memoryTransport } from '../../../../src/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../../fixtures/default-recording.ts'
import { signed } from '../../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../../fixtures/question-trial.ts'

async function market(questions: Partial<Answers>) {
  const { registry, cast } = await recordedRegistry({ questions })
  const { request } = memoryTransport(registry)
  const [address] = cast().openPositions.map((one) => one.address)
  const ask = (method: string, path: string, body = '') => {
    const mark = path.includes('?') ? '&' : '?'
    return JSON.parse(request(method, `${PREFIX}${path}${mark}${signed()}`, body).body).data
  }
  return { ask, address, oid: cast().oids.filled[0], symbol: cast().symbols[0] }
}

/** An order that was cancelled, and whose it was. */
async function cancelled(questions: Record<string, string>) {
  const found = await market(questions)
  const [order] = found.ask('GET', `/hl/orders/${found.address}/latest?limit=2000`).filter(isEnded)
  const { oid } = order.order ?? order
  return { ...found, oid: Number(oid), user: found.address }
}

const isEnded = ({ status }: { status: string }) => status.startsWith('cancel')

const namesOf = (row: object) => Object.keys(row).slice(0, 3)

export const recordForms: QuestionTrials = {
  'order-form': {
    async see(answer) {
      const { ask, address, oid } = await market({ 'order-form': answer })
      const [latest] = ask('GET', `/hl/orders/${address}/latest?limit=1`)
      const [filled] = ask('GET', `/hl/filled-orders/${address}/latest?limit=1`)
      const byId = ask('GET', `/hl/orders/oid/${oid}`)
      return [latest, filled, byId].map(namesOf)
    },
    expected: {
      flat: Array(3).fill(['oid', 'coin', 'side']),
      nested: Array(3).fill(['order', 'status', 'statusTimestamp']),
    },
  },
  'order-status-spelling': {
    async see(answer) {
      const questions = { 'order-status-spelling': answer }
      const { ask, oid, user } = await cancelled(questions)
      const info = (body: object) => ask('POST', '/hl/info', JSON.stringify(body))
      const history = info({ type: 'historicalOrders', user })
      const nested = await cancelled({ ...questions, 'order-form': 'nested' })
      const ended = { status: 'canceled' } as FilledOrder
      const happening = { kind: 'order', ended } as TimelineEvent
      const moment = { moment: { answers: { ...DEFAULT_ANSWERS, ...questions } } } as Facts
      const pushed = addressFilledOrders.push({} as never, happening, moment) as FilledOrder
      return [
        ask('GET', `/hl/orders/oid/${oid}`).status,
        nested.ask('GET', `/hl/orders/oid/${oid}`).status,
        info({ type: 'orderStatus', user, oid }).order.status,
        history.find((one: { order: { oid: number } }) => one.order.oid === oid).status,
        pushed.status,
      ]
    },
    expected: {
      'by-form': ['cancelled', ...Array(4).fill('canceled')],
      cancelled: Array(5).fill('cancelled'),
      canceled: Array(5).fill('canceled'),
    },
  },
  'fill-form': {
    async see(answer) {
      const { ask, address, oid } = await market({ 'fill-form': answer })
      const [ofAddress] = ask('GET', `/hl/fills/${address}?limit=1`)
      const [ofOrder] = ask('GET', `/hl/fills/oid/${oid}`)
      return [ofAddress, ofOrder].map(namesOf)
    },
    expected: {
      simple: Array(2).fill(['coin', 'side', 'price']),
      native: Array(2).fill(['coin', 'px', 'sz']),
    },
  },
  'latest-depth-size': {
    async see(answer) {
      const { ask, symbol } = await market({ 'latest-depth-size': answer })
      return ask('GET', `/futures/latest-depth?dbKey=${symbol}`).max
    },
    expected: { '20': 20, '100': 100, '500': 500 },
  },
  'info-types': {
    async see(answer) {
      const { ask } = await market({ 'info-types': answer })
      return ask('POST', '/hl/info', '{"type":"exchangeStatus"}') !== null
    },
    expected: { documented: false, all: true },
  },
}
