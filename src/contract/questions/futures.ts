/** Open questions: pairs, depth and derivatives history. */
import { declared } from './question.ts'

export const FUTURES_QUESTIONS = declared({
  'unknown-pair': {
    question: 'What do full and grouped depth answer for a pair that is not known?',
    source: 'Depth rules: only latest-depth is described',
    chosen: 'refuse',
    why: 'The service was seen to answer HTTP 400 with "Unsupported symbol".',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      empty: 'An empty book.',
    },
  },
})
