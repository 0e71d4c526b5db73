/** Open questions: limits of requests and of time ranges. */
import { declareQuestions } from './question.ts'

export const LIMITS_QUESTIONS = declareQuestions({
  'over-rate': {
    question: 'What is answered to a key that calls more often in a minute than it may?',
    source: 'Limits: the numbers are given, the answer is not; clients saw all four',
    chosen: '429',
    why: 'It is the status made for it, and the one most often seen.',
    answers: {
      '429': 'HTTP 429 with code "429".',
      'retry-after': 'The same with a `Retry-After` header in seconds.',
      '403': 'HTTP 403 with code "403" and the words that the service was seen to use.',
      '200': 'HTTP 200 with code "429" in the envelope.',
    },
  },
  'over-quota': {
    question: 'What is answered to a key whose quota of the month is used up?',
    source: 'Distributor; Quota summary: the numbers are given, the answer is not',
    chosen: '429',
    why: 'As for the limit of a minute.',
    answers: {
      '429': 'HTTP 429 with code "429".',
      'retry-after': 'The same with a `Retry-After` header in seconds.',
      '403': 'HTTP 403 with code "403" and the words that the service was seen to use.',
      '200': 'HTTP 200 with code "429" in the envelope.',
    },
  },
  'over-time-range': {
    question: 'What becomes of a request for a longer time range than the level allows?',
    source: 'Level config, max_time_range',
    chosen: 'refuse',
    why: 'An answer that is silently shorter would be taken for all there is.',
    answers: {
      refuse: 'HTTP 400 with the number of seconds.',
      cut: 'It is made as short as allowed, without a word: a later start, fewer rows, fewer days.',
    },
  },
  'default-time-range': {
    question: 'What does a time range count as that nobody asked for: the default of an endpoint?',
    source: 'Level config, max_time_range: "maximum query time range"; of defaults nothing is said',
    chosen: 'free',
    why: 'A request that names no range has asked for none.',
    answers: {
      free:
        'Nothing: only what the request names is bounded. Rows of an interval count when the ' +
        'request says how many.',
      counts: 'As if it had been asked for: a key that may not have as much must ask for less.',
      cut: 'It is made as short as allowed, without a word, whatever becomes of others.',
    },
  },
  'other-key-limits': {
    question: 'What limits a key that is no sub key?',
    source: 'Limits: "rate limits for keys that are not sub keys: not shown"',
    chosen: 'none',
    why: 'A limit that nobody has written down must not surprise a client.',
    answers: {
      none: 'Nothing.',
      free: '15 requests a minute, 20,000 a month.',
      basic: '30 requests a minute, 20,000 a month.',
      standard: '80 requests a minute, 500,000 a month.',
      advanced: '300 requests a minute, 1,500,000 a month.',
      pro: '1,200 requests a minute, 3,500,000 a month.',
    },
  },
})
