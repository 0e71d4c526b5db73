/** Open questions: indexes. */
import { declareQuestions } from './question.ts'

export const INDEX_QUESTIONS = declareQuestions({
  'index-info-signature': {
    question: 'Is the description of an index available without a signature?',
    source: 'Futures, index and coin data: "The example call omits the signature parameters"',
    chosen: 'signed',
    why: 'Every endpoint except the registration requires the signature.',
    answers: { signed: 'No.', open: 'Yes.' },
  },
  'index-without-price': {
    question: 'Are there indexes without a price?',
    source: 'Index: strings; clients saw `-` as the price of indexes of other markets',
    chosen: 'none',
    why: 'Every listed index can be computed from the market.',
    answers: {
      none: 'No.',
      dash: 'Yes, two of other markets, `i:vix:cboe` and `i:diniw:ice`: all their numbers are `-`.',
    },
  },
  'index-unknown': {
    question: 'What is the answer to an unknown index key?',
    source: 'Index: not specified; clients saw errorCode 304',
    chosen: '304',
    why: 'Clients have observed it.',
    answers: {
      '304': 'HTTP 200 with errorCode 304, `invalid_key`.',
      '400': 'HTTP 400 with errorCode 400, `invalid_key`.',
    },
  },
})
