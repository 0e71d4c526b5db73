import type { Answers } from '../../../src/contract/questions.ts'
import { WEIGHT_PER_MINUTE } from '../../../src/contract/venue.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry } from '../../fixtures/fake-market.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'

export const venue: QuestionTrials = {
  'venue-rate-limit': {
    async see(answer) {
      const { request } = await raw({ 'venue-rate-limit': answer })
      const ask = () => request('POST', '/info', '{"type":"l2Book","coin":"BTC"}').status
      for (let spent = 0; spent < WEIGHT_PER_MINUTE; spent += 2) ask()
      return ask()
    },
    expected: { enforced: 429, off: 200 },
  },
  'venue-connections': {
    async see(answer) {
      const { connect } = await raw({ 'venue-connections': answer })
      for (let count = 0; ; count++) if ('status' in connect('/ws')) return count
    },
    expected: { '100': 100, '10': 10 },
  },
  'venue-absent-subscription': {
    async see(answer) {
      const { connect } = await raw({ 'venue-absent-subscription': answer })
      const socket = connect('/ws') as MemorySocket
      const subscription = { type: 'trades', coin: 'NOPE' }
      socket.send(JSON.stringify({ method: 'subscribe', subscription }))
      return [socket.closeCode, ...socket.frames]
    },
    expected: {
      dropped: [1006],
      ignored: [null],
      error: [
        null,
        JSON.stringify({
          channel: 'error',
          data: 'Invalid subscription {"type":"trades","coin":"NOPE"}',
        }),
      ],
    },
  },
  'venue-greeting': {
    async see(answer) {
      const { connect } = await raw({ 'venue-greeting': answer })
      return (connect('/ws') as MemorySocket).frames
    },
    expected: { none: [], text: ['Websocket connection established.'] },
  },
}

const raw = async (questions: Partial<Answers>) =>
  memoryTransport(await fakeRegistry({ profile: 'raw', questions }))
