/** Open questions: orders of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_ORDER_QUESTIONS = declareQuestions({
  'order-form': {
    question: 'Which form do orders by address and by id have?',
    source: 'Perpetual-DEX records, Order (simple form); the live service was seen to nest them',
    chosen: 'flat',
    why: 'The contract says so.',
    answers: {
      flat: 'Flat, with `oid` as text.',
      nested: '`{order, status, statusTimestamp}`, as at the venue.',
    },
  },
  'order-status-spelling': {
    question: 'How is the status of a cancelled order spelled?',
    source:
      'States: "`filled` and `cancelled`"; the venue writes `canceled`, and the service ' +
      'passes its forms on',
    chosen: 'by-form',
    why: 'Each spelling was observed in its form: the simple form, and the forms of the venue.',
    answers: {
      'by-form':
        '`cancelled` in the simple form of orders; `canceled` in every form of the venue: ' +
        'nested orders, POST /info, pushes.',
      cancelled: '`cancelled` everywhere.',
      canceled: '`canceled` everywhere.',
    },
  },
  'open-order-triggers': {
    question: 'Do the open orders of the market include orders that wait for a trigger?',
    source: 'Top open order, Active order stats: not specified',
    chosen: 'absent',
    why: 'They are in no book, and the records have no field to recognise them.',
    answers: { absent: 'No, only orders that rest in the book.', present: 'Yes.' },
  },
  'distance-sign': {
    question: 'Is `distPct` of a large open order negative below the last price?',
    source: 'Top open order: "percent distance from last trade price"',
    chosen: 'signed',
    why: 'The sign adds information; the absolute value gives the other answer.',
    answers: { signed: 'Yes.', absolute: 'No, it is never negative.' },
  },
})
