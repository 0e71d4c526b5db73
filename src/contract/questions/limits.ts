/** Open questions: limits of requests and of time ranges. */
import { declareQuestions } from './question.ts'

export const LIMITS_QUESTIONS = declareQuestions({
  'over-rate': {
    question: 'What is the answer to a key that exceeds its rate limit per minute?',
    source: 'Limits: the numbers are given, the answer is not; clients saw all four',
    chosen: '429',
    why: 'It is the standard status for this case, and the most frequently observed one.',
    answers: {
      '429': 'HTTP 429 with code "429".',
      'retry-after': 'The same with a `Retry-After` header in seconds.',
      '403': 'HTTP 403 with code "403" and the message that was observed at the service.',
      '200': 'HTTP 200 with code "429" in the envelope.',
    },
  },
  'over-quota': {
    question: 'What is the answer to a key whose monthly quota is used up?',
    source: 'Distributor; Quota summary: the numbers are given, the answer is not',
    chosen: '429',
    why: 'It is the same as for the rate limit per minute.',
    answers: {
      '429': 'HTTP 429 with code "429".',
      'retry-after': 'The same with a `Retry-After` header in seconds.',
      '403': 'HTTP 403 with code "403" and the message that was observed at the service.',
      '200': 'HTTP 200 with code "429" in the envelope.',
    },
  },
  'over-time-range': {
    question: 'What happens to a request for a longer time range than the level allows?',
    source: 'Level config, max_time_range',
    chosen: 'refuse',
    why: 'A client would take a silently shortened answer for the whole data.',
    answers: {
      refuse: 'HTTP 400 with the number of seconds.',
      cut: 'The range is silently shortened: a later start, fewer rows, fewer days.',
    },
  },
  'default-time-range': {
    question: 'Is the default time range of an endpoint limited too?',
    source: 'Level config, max_time_range: "maximum query time range"; defaults are not mentioned',
    chosen: 'free',
    why: 'A request without a range does not request one.',
    answers: {
      free:
        'No: only the range in the request is limited. Rows of an interval count if the ' +
        'request gives their number.',
      counts:
        'Yes, as if it had been requested: a key with a smaller limit must request a shorter ' +
        'range.',
      cut: 'It is silently shortened, whatever happens to requested ranges.',
    },
  },
  'other-key-limits': {
    question: 'Which limits does a key have that is not a sub key?',
    source: 'Limits: "rate limits for keys that are not sub keys: not shown"',
    chosen: 'none',
    why: 'An undocumented limit must not surprise a client.',
    answers: {
      none: 'None.',
      free: '15 requests a minute, 20,000 a month.',
      basic: '30 requests a minute, 20,000 a month.',
      standard: '80 requests a minute, 500,000 a month.',
      advanced: '300 requests a minute, 1,500,000 a month.',
      pro: '1,200 requests a minute, 3,500,000 a month.',
    },
  },
})
