import type { Answers } from '../../src/contract/questions.ts'
import { WEIGHT_MOST } from '../../src/contract/venue/weights.ts'
import { type MemorySocket, memory } from '../../src/transport/memory/memory.ts'
import { toyRegistry } from '../toy-market.ts'
import type { Trials } from './trial.ts'

export const venue: Trials = {
  'venue-rate-limit': {
    async see(answer) {
      const { request } = await raw({ 'venue-rate-limit': answer })
      const ask = () => request('POST', '/info', '{"type":"l2Book","coin":"BTC"}').status
      for (let spent = 0; spent < WEIGHT_MOST; spent += 2) ask()
      return ask()
    },
    expected: { enforced: 429, off: 200 },
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
  memory(await toyRegistry({ profile: 'raw', questions }))
