/** Open questions: coins. */
import { declareQuestions } from './question.ts'

export const COIN_QUESTIONS = declareQuestions({
  'coin-ticker-variant': {
    question: 'Which of the two documented forms does the coin ticker have?',
    source: 'Coin ticker; Versioning 1',
    chosen: 'current',
    why: 'The documents call the other one the older variant.',
    answers: {
      current: 'With 7-day changes and net inflow.',
      older: 'Without these, and with `usdt_funding_rate` and `usd_funding_rate`.',
    },
  },
})
