import { tapeMs } from '../../../../src/clock/instant.ts'
import { addressFilledOrders } from '../../../../src/contract/channels/address-filled-orders.ts'
import type { Facts } from '../../../../src/contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../../../src/contract/questions.ts'
import type { FilledOrder } from '../../../../src/contract/records/order.ts'
import type { TimelineEvent } from '../../../../src/contract/timeline.ts'
import type { QuestionTrials } from '../../../fixtures/question-trial.ts'
import {
  firstNames,
  perpdexGetter,
  recordedMarket,
  type TextRow,
} from '../../../fixtures/recorded-answers.ts'

/** A cancelled order, and its account. */
async function cancelled(questions: Record<string, string>) {
  const found = await recordedMarket(questions)
  for (const user of found.addresses) {
    const [order] = found.ask('GET', `/hl/orders/${user}/latest?limit=2000`).filter(isEnded)
    if (order) return { ...found, oid: Number((order.order ?? order).oid), user }
  }
  throw new Error('none of those with a position has cancelled an order')
}

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'XRP', 'DOGE', 'LINK', 'kPEPE']

const isEnded = ({ status }: { status: string }) => status.startsWith('cancel')

export const orders: QuestionTrials = {
  'order-form': {
    async see(answer) {
      const { ask, address, oid } = await recordedMarket({ 'order-form': answer })
      const [latest] = ask('GET', `/hl/orders/${address}/latest?limit=1`)
      const [filled] = ask('GET', `/hl/filled-orders/${address}/latest?limit=1`)
      const byId = ask('GET', `/hl/orders/oid/${oid}`)
      return [latest, filled, byId].map(firstNames)
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
      const event = { kind: 'order', ended } as TimelineEvent
      const moment = { moment: { answers: { ...DEFAULT_ANSWERS, ...questions } } } as Facts
      const pushed = addressFilledOrders.push({} as never, event, moment, tapeMs(0)) as FilledOrder
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
  'open-order-triggers': {
    async see(answer) {
      const get = await perpdexGetter({ 'open-order-triggers': answer })
      // A coin's triggers may all be smaller than its largest orders.
      const rows = COINS.flatMap(
        (coin) => get(`/orders/top-open-orders?limit=100&coin=${coin}`).data as TextRow[],
      )
      return rows.some(({ tif }) => tif === null)
    },
    expected: { absent: false, present: true },
  },
  'distance-sign': {
    async see(answer) {
      const get = await perpdexGetter({ 'distance-sign': answer })
      const rows = get('/orders/top-open-orders?limit=100').data as TextRow[]
      return rows.some(({ distPct }) => Number(distPct) < 0)
    },
    expected: { signed: true, absolute: false },
  },
}
