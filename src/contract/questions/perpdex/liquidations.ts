/** Open questions: liquidations of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_LIQUIDATION_QUESTIONS = declareQuestions({
  'liquidation-window': {
    question: 'How far back do the sums of liquidations look without `interval`?',
    source: 'Perpetual-DEX REST: `interval` is optional; the service was seen to answer zeros',
    chosen: '1h',
    why: 'A short window was seen, but not which one.',
    answers: { '1m': 'A minute.', '1h': 'An hour.', '1d': 'A day.' },
  },
  'top-positions-interval': {
    question: 'What do the largest positions liquidated answer without `interval`?',
    source: 'Action map only; public documentation requires it, and public clients leave it out',
    chosen: '1d',
    why: 'A client that leaves it out expects an answer; the map of liquidations is of a day too.',
    answers: { '1d': 'A day.', refuse: 'HTTP 400: it is missing.' },
  },
  'estimated-heatmap-interval': {
    question: 'Which positions does the map of estimated liquidations show without `interval`?',
    source: 'Action map: only the path is known',
    chosen: 'all',
    why: 'Whoever is open can be liquidated, however long ago it was opened.',
    answers: {
      all: 'All open positions.',
      day: 'Those opened in the last day.',
    },
  },
})
