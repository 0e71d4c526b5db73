/** Open questions: orders of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_ORDER_QUESTIONS = declareQuestions({
  'order-form': {
    question: 'Which form have orders by address and by id?',
    source: 'Perpetual-DEX records, Order (simple form); the live service was seen to nest them',
    chosen: 'flat',
    why: 'The contract says so.',
    answers: {
      flat: 'Flat, with `oid` as text.',
      nested: '`{order, status, statusTimestamp}` as the venue has it.',
    },
  },
  'order-status-spelling': {
    question: 'How is the status of an order spelled that was cancelled?',
    source:
      'States: "`filled` and `cancelled`"; the venue writes `canceled`, and the service ' +
      'passes its forms on',
    chosen: 'by-form',
    why: 'Each spelling was seen in its form: the simple one, and those of the venue.',
    answers: {
      'by-form':
        '`cancelled` in the simple form of orders; `canceled` in every form of the venue: ' +
        'nested orders, POST /info, pushes.',
      cancelled: '`cancelled` everywhere.',
      canceled: '`canceled` everywhere.',
    },
  },
  'open-order-triggers': {
    question: 'Do orders that wait for a trigger count among the open orders of the market?',
    source: 'Top open order, Active order stats: not said',
    chosen: 'absent',
    why: 'They are in no book, and the records have no field that would tell them apart.',
    answers: { absent: 'No, only orders that rest in the book.', present: 'Yes.' },
  },
  'distance-sign': {
    question: 'Is `distPct` of a large open order negative below the last price?',
    source: 'Top open order: "percent distance from last trade price"',
    chosen: 'signed',
    why: 'It tells more, and its absolute value is the other answer.',
    answers: { signed: 'Yes.', absolute: 'No, it is never negative.' },
  },
})
