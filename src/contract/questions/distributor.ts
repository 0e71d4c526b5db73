/** Open questions: distributor management. */
import { declareQuestions } from './question.ts'

export const DISTRIBUTOR_QUESTIONS = declareQuestions({
  'level-absent': {
    question: 'What do GET and DELETE answer for a level that is not there?',
    source: 'States: DELETE is described for a present level only',
    chosen: '404',
    why: 'The level is what the path names.',
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
      bare: '`success` alone.',
      data: '`success`, `message` and `data`: null.',
    },
  },
  'distributor-refusal': {
    question: "Which envelope says that a distributor's request is wrong?",
    source:
      'Conventions: distributor endpoints fail in C; Errors: a missing parameter is told in B',
    chosen: 'by-flaw',
    why: 'Each sentence holds where it speaks: B for what is missing, C for what is wrong.',
    answers: {
      'by-flaw':
        'A missing field in B, at any depth; a wrong one in C, and so a body that is no JSON.',
      C: 'All in C.',
      B: 'All in B, as other groups tell it.',
    },
  },
  'sub-key-open-endpoints': {
    question: 'May a sub key call an endpoint that names no permission, such as /coin?',
    source: 'Distributor management, rules 2 and 4; Authentication 7',
    chosen: 'granted',
    why: 'Rule 2 bars only keys whose level grants nothing at all.',
    answers: {
      granted: 'Yes, when its level grants at least one action.',
      never: 'No: a level can grant `perpdex` actions only.',
    },
  },
  'sub-key-paths': {
    question: 'Where are sub keys made and changed?',
    source: 'Distributor management, rule 6: the endpoints are not shown',
    chosen: 'control',
    why: 'A path that we made up must not be taken for one of the service.',
    answers: {
      control: 'By the control plane only.',
      mirrored: 'Under /distributor/sub-keys too.',
    },
  },
})
