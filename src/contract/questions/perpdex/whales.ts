/** Open questions: whales of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_WHALE_QUESTIONS = declareQuestions({
  'whale-funding-sign': {
    question: 'Is `fundingFee` of a whale positive when paid or when received?',
    source: 'Action map only; public documentation names the field',
    chosen: 'paid',
    why: 'It is a fee, and `cumFunding` of the account state is positive when paid.',
    answers: { paid: 'When it was paid.', received: 'When it was received.' },
  },
  'whale-ratio-order': {
    question: 'Is the history of the whale long ratio ordered oldest first or newest first?',
    source: 'Action map only; both were seen, oldest first more lately',
    chosen: 'oldest',
    why: 'It was the most recent observation.',
    answers: { oldest: 'Oldest first.', newest: 'Newest first.' },
  },
  'whale-event-coin': {
    question: 'Do whale events use the `coin` that clients send?',
    source: 'Perpetual-DEX REST names only `limit`; the service was seen to filter loosely',
    chosen: 'filtered',
    why: 'A client that sends it wants the filter.',
    answers: { filtered: 'Yes.', ignored: 'No, all coins are answered.' },
  },
})
