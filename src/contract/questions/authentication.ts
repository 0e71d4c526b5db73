/** Open questions: which keys and nonces are accepted. */
import { declareQuestions } from './question.ts'

export const AUTHENTICATION_QUESTIONS = declareQuestions({
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
  'disabled-key': {
    question: 'What is answered to a key that has been disabled?',
    source: 'Lifecycle of sub keys: not shown',
    chosen: 'signature',
    why: 'A key that is not in force is as good as none.',
    answers: {
      signature: 'As for a key that does not exist: invalid signature.',
      permission: 'HTTP 403 with "Permission denied: KEY_DISABLED".',
    },
  },
})
