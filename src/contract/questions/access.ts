/** Open questions: how requests are let in and refused. */
import { declared } from './question.ts'

export const ACCESS_QUESTIONS = declared({
  'nonce-reuse': {
    question: 'May a SignatureNonce be used twice?',
    source: 'Authentication 8',
    chosen: 'accept',
    why: 'Nothing public says that the service keeps nonces.',
    answers: {
      accept: 'Nonces are not remembered.',
      reject: 'A nonce used again while its Timestamp is valid is an invalid signature.',
    },
  },
  'refusal-status': {
    question: 'Which HTTP status do a missing parameter and an invalid signature have?',
    source: 'Errors: the table gives envelope B with codes "400" and "401" but no HTTP status',
    chosen: 'http',
    why: 'Every refusal for which the contract gives a status has the same number in both places.',
    answers: {
      http: 'HTTP 400 and 401.',
      ok: 'HTTP 200 with the code in the envelope only.',
    },
  },
})
