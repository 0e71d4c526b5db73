/** Open questions: the raw profile, which stands in for the perpetual venue itself. */
import { declareQuestions } from './question.ts'

export const VENUE_QUESTIONS = declareQuestions({
  'venue-rate-limit': {
    question: "Does the raw profile enforce the venue's limits of weight and of followed accounts?",
    source:
      'the perpetual venue, rate limits; a test may want to ask more often than the venue allows',
    chosen: 'enforced',
    why: 'Native clients must handle HTTP 429 with the body `null`, and the error of a socket.',
    answers: {
      enforced: '1200 a minute, then HTTP 429; ten accounts over all sockets, then an error.',
      off: 'No limit.',
    },
  },
  'venue-greeting': {
    question: 'Does the raw profile greet a new connection with a line of plain text?',
    source: 'the perpetual venue does, and clients that only parse JSON trip over it',
    chosen: 'none',
    why: 'Not every client has seen this greeting.',
    answers: { none: 'None.', text: '`Websocket connection established.`' },
  },
})
