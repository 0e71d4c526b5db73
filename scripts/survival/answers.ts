/** What the client makes of the scenarios of requests, sentence by sentence. */
import type { Survived } from './survived.ts'

export const ANSWERS = {
  'code-as-number': {
    'code is text here': {
      says:
        '`code` is text here and a number there: compare it as text, and read numbers ' +
        'from either.',
      made: 'envelopes are understood; with `checksAnswers` what changed its type is told',
    },
  },
  'cut-short': {
    'an answer as long': {
      says:
        'An answer as long as the limit may not be all of it; batches come back ' +
        'shorter; half a body is not JSON.',
      made:
        'paging goes on after a short page; a batch that lacks rows is told with ' +
        '`checksAnswers`; half a body is an AnswerError; any other list that is cut ' +
        'looks whole',
    },
  },
  'dropped-connections': {
    'a request whose answer': {
      says: 'A request whose answer is lost may have been carried out.',
      made: 'it is a ConnectionError, which claims neither',
    },
    'ask again only what': {
      says: 'Ask again only what may be asked twice.',
      made: 'reads are asked again with `retries`, changes never',
    },
  },
  'html-errors': {
    'look at status and': {
      says:
        'Look at status and content type before you read JSON, and show the status ' +
        "rather than a parser's words.",
      made:
        'an AnswerError with status, content type and `kind`; reads are asked again ' +
        'with `retries`',
    },
  },
  'legacy-gateway': {
    'the same refusals under': {
      says:
        'The same refusals under other statuses and in other envelopes, without `code`; ' +
        'a bad signature under 200.',
      made: '`kind` is the same in the older words and under the other statuses',
    },
  },
  'month-end': {
    'the quota is used': {
      says:
        'The quota is used up and comes back with the first of the month, by the ' +
        "service's clock.",
      made: '`kind` is `quota`, and nothing waits for it',
    },
    'move it there with': {
      says: 'Move it there with `clock/advance {"to": "next-month"}`.',
      made: 'then it works again',
    },
  },
  'not-a-number': {
    'premium may be nan': {
      says: '`premium` may be "NaN"; `midPx`, `liquidationPx` and `impactPxs` may be null.',
      made: 'with `checksAnswers` NaN is told with its place; null is in the types',
    },
  },
  'null-bodies': {
    'a body of null': {
      says:
        'A body of `null` under 429 has no `code`; a body without `code` or `msg` ' + 'neither.',
      made: 'a refusal of kind `rate` with an empty `code`, and asked again with `retries`',
    },
  },
  'other-units': {
    'tell seconds from milliseconds': {
      says: 'Tell seconds from milliseconds by their size, not by the endpoint.',
      made: 'times are passed on as they come, and `instantMs` reads either unit',
    },
  },
  'quota-exhausted': {
    'know the quota before': {
      says: 'Know the quota before it is used up, and tell your users in words when it is.',
      made:
        '`distributor.quota` tells what is left; `kind` is `quota`, told apart from ' +
        '`rate`, with the service’s words, and not asked for again',
    },
    'a key without a': {
      says: 'A key without a quota is not touched.',
      made: 'it is answered as ever',
    },
  },
  'rate-limited': {
    'slow down on 429': {
      says: 'Slow down on 429, wait as long as it says, and lose no request over it.',
      made: 'with `retries` no read is lost: it waits as long as the refusal says',
    },
  },
  'refused-with-200': {
    'look into the envelope': {
      says: 'Look into the envelope, not only at the status.',
      made: 'refusals are errors with their `kind`, whatever the status',
    },
  },
  'signature-skew': {
    'every signature is too': {
      says: 'Every signature is too old, and only 401 says so.',
      made: 'requests and connections are refused once, and then get in',
    },
    'compare your clock with': {
      says: 'Compare your clock with the `Date` header before you blame the key.',
      made:
        'it signs by the clock of the `Date` header from then on; a wrong secret is ' +
        'still refused',
    },
  },
  'slow-server': {
    'a time limit for': {
      says:
        'A time limit for each request, no pile of requests that wait, and no second ' +
        'order of what is only late.',
      made: 'each request has its time; what is late is not ordered a second time',
    },
  },
  'unstable-order': {
    'sort by the field': {
      says: 'Sort by the field that counts; a list where a page was expected.',
      made: 'lists are passed on as they come: with `checksAnswers` either form passes',
    },
  },
  'wrong-content-type': {
    'another content type than': {
      says: 'Another content type than application/json around a sound body.',
      made: 'what counts is whether the body is JSON',
    },
  },
} satisfies Record<string, Record<string, Survived>>
