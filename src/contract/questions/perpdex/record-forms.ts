/** Open questions: forms of records that documents and the live service show differently. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_RECORD_FORM_QUESTIONS = declareQuestions({
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
  'fill-form': {
    question: 'Which form have fills by address and by order?',
    source: 'Perpetual-DEX records, Fill; the live service was seen to answer the native form',
    chosen: 'simple',
    why: 'The documents show the simple form.',
    answers: { simple: 'The simple form.', native: 'The native form, without `address`.' },
  },
  'latest-depth-size': {
    question: 'How many levels a side does latest-depth give when `size` is left out?',
    source: 'Futures, index and coin data: "default of `size`: not shown"',
    chosen: '100',
    why: 'Enough for a screen, and well below the cap.',
    answers: { '20': '20.', '100': '100.', '500': 'As many as the cap: 500.' },
  },
  'info-types': {
    question: 'Does POST /info answer types that the service was seen to refuse?',
    source: '"The body shape of POST /info beyond the `type` field: not shown"',
    chosen: 'documented',
    why: 'A client must learn here what it will meet there.',
    answers: {
      documented: 'No: an unknown type is HTTP 200 with code "400".',
      all: 'Yes: every type of the perpetual venue that a raw sandbox has.',
    },
  },
})
