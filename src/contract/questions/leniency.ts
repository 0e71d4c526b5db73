/** Open questions: what a request may have beyond what the contract shows. */
import { declareQuestions } from './question.ts'

const MANY = 'Clients of several languages rely on it, and no document says that it is refused.'

export const LENIENCY_QUESTIONS = declareQuestions({
  'signature-in-body': {
    question: 'May the signature parameters be in the JSON body?',
    source: 'Conventions: "with the signature parameters in the query string"; /content/ai-coins',
    chosen: 'accept',
    why: 'The call of /content/ai-coins in the documents has them there.',
    answers: {
      accept: 'In the body of every POST and PUT.',
      refuse: 'In the body of /content/ai-coins only; elsewhere they are not there.',
    },
  },
  'unknown-parameters': {
    question: 'What happens to a parameter that the operation does not have?',
    source: 'Conventions: only what is there is described',
    chosen: 'ignore',
    why: MANY,
    answers: { ignore: 'Nothing.', refuse: 'HTTP 400 with its name.' },
  },
  'repeated-parameters': {
    question: 'What happens to a name that is twice in a query?',
    source: 'Conventions: "GET parameters go in the query string"',
    chosen: 'first',
    why: MANY,
    answers: {
      first: 'The first value counts, or all of them where a list is expected.',
      refuse: 'HTTP 400 with its name, unless a list is expected.',
    },
  },
  'parameter-spelling': {
    question: 'Are other spellings of a parameter accepted?',
    source: 'Each operation: one name',
    chosen: 'accept',
    why: 'The documents themselves have some in two spellings.',
    answers: {
      accept: 'Those that clients send.',
      refuse: 'HTTP 400 with the name that the contract has.',
    },
  },
  'pair-letters': {
    question: 'May a pair be in capital letters?',
    source: 'Depth: "dbKey, form symbol:exchange", of which the examples are in small letters',
    chosen: 'accept',
    why: MANY,
    answers: {
      accept: 'In any: BTCSWAPUSDT:binance is btcswapusdt:binance.',
      refuse: 'HTTP 400 with the name of the parameter.',
    },
  },
  'body-content-type': {
    question: 'Which content types may a JSON body have?',
    source: 'Conventions: "in a JSON body"',
    chosen: 'any',
    why: MANY,
    answers: {
      any: 'Any, and none.',
      json: 'application/json, or one that ends with +json; HTTP 400 for others.',
    },
  },
  'byte-order-mark': {
    question: 'May a JSON body begin with a byte order mark?',
    source: 'Conventions: "in a JSON body"; RFC 8259, 8.1: a reader may ignore one',
    chosen: 'skip',
    why: 'Clients on Windows send one, and no document says that it is refused.',
    answers: { skip: 'It is skipped.', refuse: 'HTTP 400: it is no JSON.' },
  },
})

/** Answers of a strict sandbox: what the contract does not literally allow is refused. */
export const STRICT_ANSWERS = {
  'nonce-reuse': 'reject',
  'signature-in-body': 'refuse',
  'unknown-parameters': 'refuse',
  'repeated-parameters': 'refuse',
  'parameter-spelling': 'refuse',
  'pair-letters': 'refuse',
  'body-content-type': 'json',
  'byte-order-mark': 'refuse',
} as const
