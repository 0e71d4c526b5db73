/** Open questions: signals and alerts. */
import { declareQuestions } from './question.ts'

export const SIGNAL_QUESTIONS = declareQuestions({
  'alert-failure': {
    question: 'How does the service say that an alert could not be set or removed?',
    source: 'States: the result is "true" or "false"; the service was seen to answer with an error',
    chosen: 'result',
    why: 'The contract says it in so many words.',
    answers: {
      result: 'Success, and `result` is "false".',
      error: 'HTTP 200, `success` false, and the text that was seen.',
    },
  },
  'alert-repeats': {
    question: 'Does an alert that has fired fire again?',
    source: 'Signal alert: not said',
    chosen: 'once',
    why: 'A record of a fired alert has no id to tell one firing from the next.',
    answers: {
      once: 'No: it is listed once, with the first time that it fired.',
      each: 'Yes: each time that it comes true is listed. A price is reached once.',
    },
  },
  'strategy-signal-order': {
    question: 'In which order are strategy signals listed?',
    source: 'Strategy-signal paging: "the 100 records after that time"',
    chosen: 'oldest',
    why: 'The records after a time begin right after it.',
    answers: { oldest: 'Oldest first.', newest: 'Newest first.' },
  },
})
