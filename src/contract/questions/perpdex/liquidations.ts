/** Open questions: liquidations of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_LIQUIDATION_QUESTIONS = declareQuestions({
  'liquidation-window': {
    question: 'Which time window do the sums of liquidations have without `interval`?',
    source: 'Perpetual-DEX REST: `interval` is optional; the service was seen to answer zeros',
    chosen: '1h',
    why: 'A short window was observed, but not its exact length.',
    answers: { '1m': 'A minute.', '1h': 'An hour.', '1d': 'A day.' },
  },
  'top-positions-interval': {
    question: 'What does the list of the largest liquidated positions return without `interval`?',
    source: 'Action map only; public documentation requires it, and public clients leave it out',
    chosen: '1d',
    why: 'A client without `interval` expects an answer; the liquidation map also covers a day.',
    answers: { '1d': 'A day.', refuse: 'HTTP 400: it is missing.' },
  },
  'estimated-heatmap-interval': {
    question: 'Which positions does the map of estimated liquidations show without `interval`?',
    source: 'Action map: only the path is known',
    chosen: 'all',
    why: 'Every open position can be liquidated, whatever its age.',
    answers: {
      all: 'All open positions.',
      day: 'Positions opened in the last day.',
    },
  },
})
