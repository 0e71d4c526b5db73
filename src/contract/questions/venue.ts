/** Open questions: the raw profile, which stands in for the perpetual venue itself. */
import { declareQuestions } from './question.ts'

export const VENUE_QUESTIONS = declareQuestions({
  'venue-rate-limit': {
    question: "Does the raw profile enforce the venue's limits of an address?",
    source:
      'the perpetual venue, rate limits; a test may want to ask more often than the venue allows',
    chosen: 'enforced',
    why: 'Native clients must handle HTTP 429 with the body `null`, and the error of a socket.',
    answers: {
      enforced:
        'Of requests a weight of 1200 a minute, then HTTP 429. Over all sockets ten accounts, ' +
        '1000 subscriptions and 2000 messages a minute, then an error; connections by ' +
        '`venue-connections`.',
      off: 'No limit.',
    },
  },
  'venue-connections': {
    question: 'How many sockets may an address hold on the raw profile?',
    source:
      "stored copies of the perpetual venue's rate limits say 100; clients of 2026 say 10, and " +
      '30 new ones a minute',
    chosen: '100',
    why: 'The larger number refuses no client that one of the sources would let through.',
    answers: {
      '100': '100; the next upgrade is refused with HTTP 429.',
      '10': '10, and 30 new ones a minute; the next upgrade is refused with HTTP 429.',
    },
  },
  'venue-absent-subscription': {
    question: 'What follows a subscription to something that there is not, on the raw profile?',
    source:
      'the perpetual venue: a coin that it lacks, or a `mantissa` without five figures; public ' +
      'clients saw the connection drop, and sometimes nothing at all',
    chosen: 'dropped',
    why: 'Clients that reconnect and subscribe again do so for ever: they must find that here.',
    answers: {
      dropped: 'The connection is dropped without a word; the client sees 1006.',
      ignored: 'Nothing: no answer, no data.',
      error: 'The error `Invalid subscription {…}`; the connection stays open.',
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
