/** Open questions: fills of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_FILL_QUESTIONS = declareQuestions({
  'fill-form': {
    question: 'Which form do fills by address and by order have?',
    source: 'Perpetual-DEX records, Fill; the live service was seen to answer the native form',
    chosen: 'simple',
    why: 'The documents show the simple form.',
    answers: { simple: 'The simple form.', native: 'The native form, without `address`.' },
  },
  'twap-fill-form': {
    question: 'Which form do the fills of a TWAP have?',
    source: 'Fill has two forms; public documentation shows a third, short one',
    chosen: 'slice',
    why: 'It is the documented form of this endpoint.',
    answers: {
      slice: '`coin`, `side` B or A, `px`, `sz`, `time`, `twapId`.',
      native: 'The native form, as observed at other endpoints of fills.',
      simple: 'The simple form.',
    },
  },
  'builder-fill-ids': {
    question: "Do a builder's fills have `tid` and `twapId`?",
    source: 'Fill: "Builder fill adds builderFee" to the native form; a public sample has neither',
    chosen: 'present',
    why: 'The contract takes precedence.',
    answers: { present: 'Yes.', absent: 'No.' },
  },
})
