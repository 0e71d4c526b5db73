/** Open questions: which keys and nonces are accepted. */
import { declareQuestions } from './question.ts'

export const AUTHENTICATION_QUESTIONS = declareQuestions({
  'nonce-reuse': {
    question: 'May a SignatureNonce be used twice?',
    source: 'Authentication 8',
    chosen: 'accept',
    why: 'No public document says that the service stores nonces.',
    answers: {
      accept: 'Nonces are not stored.',
      reject: 'A nonce used again while its Timestamp is valid is an invalid signature.',
    },
  },
  'disabled-key': {
    question: 'What is the answer to a disabled key?',
    source: 'Lifecycle of sub keys: not shown',
    chosen: 'signature',
    why: 'A disabled key is treated like an unknown key.',
    answers: {
      signature: 'As for a key that does not exist: invalid signature.',
      permission: 'HTTP 403 with "Permission denied: KEY_DISABLED".',
    },
  },
})
