import type { Answers } from '../../../../src/contract/questions.ts'
import { recordedRegistry } from '../../../fixtures/default-recording.ts'
import { signed } from '../../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../../fixtures/question-trial.ts'
import { recordedGetter } from '../../../fixtures/recorded-answers.ts'

/** Data of some `/hl` paths under an answer, fifteen minutes into the tape. */
async function asker(questions: Partial<Answers>) {
  const get = await recordedGetter(questions, 15 * 60_000)
  return (path: string) => {
    const joint = path.includes('?') ? '&' : '?'
    return get(`/hl${path}${joint}${signed('demo', -1)}`)
  }
}

/** A TWAP and a builder that the default recording has. */
async function found(what: 'twapIds' | 'builders'): Promise<string> {
  const { cast } = await recordedRegistry()
  const lists = cast() as unknown as Record<typeof what, (string | number)[]>
  return String(lists[what][0])
}

type Row = Record<string, string>

const ascends = (times: number[]) => times.join() === times.toSorted((a, b) => a - b).join()

export const market: QuestionTrials = {
  'top-coins-window': {
    async see(answer) {
      const get = await asker({ 'top-coins-window': answer })
      const { totalPv } = get('/open-interest/summary').data
      const rows = get('/open-interest/top-coins?interval=15m').data as Row[]
      const total = rows.reduce((sum, row) => sum + Number(row.totalPv), 0)
      return Math.abs(total - Number(totalPv)) < 1
    },
    expected: { traded: true, opened: false },
  },
  'open-interest-step': {
    async see(answer) {
      const get = await asker({ 'open-interest-step': answer })
      return ['3d', '15m'].map(
        (interval) => get(`/open-interest/history/BTC?interval=${interval}`).data.length,
      )
    },
    expected: { few: [4, 4], fine: [73, 16] },
  },
  'taker-delta-interval': {
    async see(answer) {
      const get = await asker({ 'taker-delta-interval': answer })
      const { status, body } = get('/accumulated-taker-delta/BTC')
      const hour = get('/accumulated-taker-delta/BTC?interval=1h').data
      return [status, body.msg, body.data?.szDelta === hour.szDelta]
    },
    expected: {
      hour: [200, 'success', true],
      refuse: [400, 'missing required parameter: interval', false],
    },
  },
  'book-summary-unit': {
    async see(answer) {
      const get = await asker({ 'book-summary-unit': answer })
      const last = get('/orderbooks/history-summaries/BTC').data.at(-1)
      return Number(last.bidVolume) > 100_000
    },
    expected: { coin: false, usd: true },
  },
  'open-order-triggers': {
    async see(answer) {
      const get = await asker({ 'open-order-triggers': answer })
      const rows = get('/orders/top-open-orders?limit=100').data as Row[]
      return rows.some(({ tif }) => tif === null)
    },
    expected: { absent: false, present: true },
  },
  'distance-sign': {
    async see(answer) {
      const get = await asker({ 'distance-sign': answer })
      const rows = get('/orders/top-open-orders?limit=100').data as Row[]
      return rows.some(({ distPct }) => Number(distPct) < 0)
    },
    expected: { signed: true, absolute: false },
  },
  'twap-fill-form': {
    async see(answer) {
      const get = await asker({ 'twap-fill-form': answer })
      const [fill] = get(`/fills/twapid/${await found('twapIds')}`).data as Row[]
      return ['side', 'px', 'price', 'address', 'twapId'].filter((name) => name in (fill ?? {}))
    },
    expected: {
      slice: ['side', 'px', 'twapId'],
      native: ['side', 'px', 'address', 'twapId'],
      simple: ['side', 'price'],
    },
  },
  'builder-fill-ids': {
    async see(answer) {
      const get = await asker({ 'builder-fill-ids': answer })
      const [fill] = get(`/fills/builder/${await found('builders')}/latest?limit=1`).data as Row[]
      return ['tid', 'twapId', 'builderFee'].filter((name) => name in (fill ?? {}))
    },
    expected: { present: ['tid', 'twapId', 'builderFee'], absent: ['builderFee'] },
  },
  'whale-funding-sign': {
    async see(answer) {
      const get = await asker({ 'whale-funding-sign': answer })
      const rows = get('/whales/open-positions?frSide=loss').data as Row[]
      return rows.length > 0 && rows.every(({ fundingFee }) => Number(fundingFee) > 0)
    },
    expected: { paid: true, received: false },
  },
  'whale-ratio-order': {
    async see(answer) {
      const get = await asker({ 'whale-ratio-order': answer })
      const rows = get('/whales/history-long-ratio?interval=1d').data as { time: number }[]
      return ascends(rows.map(({ time }) => time))
    },
    expected: { oldest: true, newest: false },
  },
  'whale-event-coin': {
    async see(answer) {
      const get = await asker({ 'whale-event-coin': answer })
      const rows = get('/whales/latest-events?coin=HYPE&limit=100').data as Row[]
      return new Set(rows.map(({ symbol }) => symbol)).size === 1
    },
    expected: { filtered: true, ignored: false },
  },
}
