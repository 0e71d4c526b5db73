/** Open questions: signals and alerts. */
import { declareQuestions } from './question.ts'

export const SIGNAL_QUESTIONS = declareQuestions({
  'alert-failure': {
    question: 'How does the service report that an alert could not be set or removed?',
    source: 'States: the result is "true" or "false"; the service was seen to answer with an error',
    chosen: 'result',
    why: 'The contract says so explicitly.',
    answers: {
      result: 'Success, and `result` is "false".',
      error: 'HTTP 200, `success` false, and the observed text.',
    },
  },
  'alert-repeats': {
    question: 'Does an alert that has fired fire again?',
    source: 'Signal alert: not specified',
    chosen: 'once',
    why: 'The record of a fired alert has no id to tell two firings apart.',
    answers: {
      once: 'No: it is listed once, with its first time.',
      each: 'Yes: it is listed each time its condition becomes true. A price is reached once.',
    },
  },
  'strategy-signal-order': {
    question: 'In which order are strategy signals listed?',
    source: 'Strategy-signal paging: "the 100 records after that time"',
    chosen: 'oldest',
    why: 'Records after a given time should start directly after it.',
    answers: { oldest: 'Oldest first.', newest: 'Newest first.' },
  },
})
