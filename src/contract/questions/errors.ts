/** Open questions: how the service refuses. */
import { declareQuestions } from './question.ts'

export const ERRORS_QUESTIONS = declareQuestions({
  'refusal-status': {
    question: 'Which HTTP status do a missing parameter and an invalid signature have?',
    source: 'Errors: the table gives envelope B with codes "400" and "401" but no HTTP status',
    chosen: 'http',
    why: 'Every refusal with a documented status has the same number as HTTP status and as code.',
    answers: {
      http: 'HTTP 400 and 401.',
      ok: 'HTTP 200, with the code only in the envelope.',
    },
  },
})
