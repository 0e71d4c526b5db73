import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../fixtures/default-recording.ts'
import { signed } from '../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../fixtures/question-trial.ts'
import { recordedGetter } from '../../fixtures/recorded-answers.ts'

const MINUTE_MS = 60_000

export const signal: QuestionTrials = {
  'alert-failure': {
    async see(answer) {
      const get = await recordedGetter({ 'alert-failure': answer })
      const wrong = 'subType=nothing:1:golden&symbol=btcswapusdc:hl'
      const answers = [
        get(`/signal/addSignalAlert?${wrong}&${signed()}`),
        get(`/signal/delSignalAlert?id=1&${signed()}`),
      ]
      return answers.map(({ status, body: { success, error, data } }) => [
        ...[status, success, error],
        data?.result,
      ])
    },
    expected: {
      result: [
        [200, true, '', 'false'],
        [200, true, '', 'false'],
      ],
      error: [
        [200, false, '设置预警失败', undefined],
        [200, false, 'common.not_exist_id', undefined],
      ],
    },
  },
  'alert-repeats': {
    async see(answer) {
      const { registry, sandbox } = await recordedRegistry({
        questions: { 'alert-repeats': answer },
      })
      const { request } = memoryTransport(registry)
      const now = () => signed('demo', -1)
      const set = 'subType=ma:1:golden:1,3&symbol=btcswapusdc:hl'
      request('GET', `${PREFIX}/signal/addSignalAlert?${set}&${now()}`)
      await sandbox.clock.advance(19 * MINUTE_MS)
      const { body } = request('GET', `${PREFIX}/signal/signalAlert?${now()}`)
      return Math.min(JSON.parse(body).data.list.length, 2)
    },
    expected: { once: 1, each: 2 },
  },
  'strategy-signal-order': {
    async see(answer) {
      const get = await recordedGetter({ 'strategy-signal-order': answer })
      const query = 'coin_type=bitcoin&signal_key=order_buy_one'
      const { list, latest_time } = get(`/signal/strategySignal?${query}&${signed()}`).data
      const times = list.map(([, time]: string[]) => Number(time))
      return [times[0] < times.at(-1), String(Math.max(...times)) === latest_time]
    },
    expected: { oldest: [true, true], newest: [false, true] },
  },
}
