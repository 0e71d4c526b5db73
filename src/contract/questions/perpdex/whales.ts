/** Open questions: whales of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_WHALE_QUESTIONS = declareQuestions({
  'whale-funding-sign': {
    question: 'Is `fundingFee` of a whale positive when it was paid or when it was received?',
    source: 'Action map only; public documentation names the field',
    chosen: 'paid',
    why: 'It is a fee, and `cumFunding` of the account state is positive when paid.',
    answers: { paid: 'When it was paid.', received: 'When it was received.' },
  },
  'whale-ratio-order': {
    question: 'Is the history of the whale long ratio oldest or newest first?',
    source: 'Action map only; both were seen, oldest first more lately',
    chosen: 'oldest',
    why: 'What was seen last counts.',
    answers: { oldest: 'Oldest first.', newest: 'Newest first.' },
  },
  'whale-event-coin': {
    question: 'Do whale events heed the `coin` that clients send?',
    source: 'Perpetual-DEX REST names only `limit`; the service was seen to filter loosely',
    chosen: 'filtered',
    why: 'Whoever sends it wants it.',
    answers: { filtered: 'Yes.', ignored: 'No, all coins are answered.' },
  },
})
