/** Open questions: distributor management. */
import { declareQuestions } from './question.ts'

export const DISTRIBUTOR_QUESTIONS = declareQuestions({
  'level-absent': {
    question: 'What do GET and DELETE answer for an unknown level?',
    source: 'States: DELETE is described for a present level only',
    chosen: '404',
    why: 'The path names the level.',
    answers: {
      '404': 'HTTP 404 in envelope C.',
      '400': 'HTTP 400 in envelope C, as for other refusals of the group.',
    },
  },
  'level-delete-answer': {
    question: 'Which fields does DELETE of a level answer besides `success`?',
    source: 'Distributor management: "remaining response fields: not shown"',
    chosen: 'message',
    why: 'PUT of the same path answers `success` and `message`.',
    answers: {
      message: '`success` and `message`.',
      bare: 'Only `success`.',
      data: '`success`, `message` and `data`: null.',
    },
  },
  'distributor-refusal': {
    question: "Which envelope is used to refuse a distributor's request?",
    source:
      'Conventions: distributor endpoints fail in C; Errors: a missing parameter is reported in B',
    chosen: 'by-flaw',
    why: 'Both sentences apply: B for missing parameters, C for wrong ones.',
    answers: {
      'by-flaw':
        'B for a missing field at any depth; C for a wrong field and for a body that is not JSON.',
      C: 'All in C.',
      B: 'All in B, as in other groups.',
    },
  },
  'sub-key-open-endpoints': {
    question: 'May a sub key call an endpoint without a permission, such as /coin?',
    source: 'Distributor management, rules 2 and 4; Authentication 7',
    chosen: 'granted',
    why: 'Rule 2 excludes only keys whose level opens no data endpoint.',
    answers: {
      granted: 'Yes, if its level grants at least one action that opens a data endpoint.',
      never: 'No: a level can grant `perpdex` actions only.',
    },
  },
  'sub-key-paths': {
    question: 'Where are sub keys created and changed?',
    source: 'Distributor management, rule 6: the endpoints are not shown',
    chosen: 'control',
    why: 'An invented path must not be mistaken for a path of the service.',
    answers: {
      control: 'Only in the control plane.',
      mirrored: 'Also under /distributor/sub-keys.',
    },
  },
})
