/** The client's behaviour in scenarios of requests, sentence by sentence. */
import type { Survived } from './survived.ts'

export const ANSWERS = {
  'code-as-number': {
    'code can be a': {
      says:
        '`code` can be a string or a number: compare it as a string, and accept numbers in ' +
        'both forms.',
      made: 'envelopes are understood; with `checksAnswers` a changed type is reported',
    },
  },
  'cut-short': {
    'an answer as long': {
      says:
        'An answer as long as the limit may be incomplete; batches can be shorter; half a body ' +
        'is not JSON.',
      made:
        'paging continues after a short page; a batch without some rows is reported with ' +
        '`checksAnswers`; half a body is an AnswerError; other cut lists are not noticed',
    },
  },
  'dropped-connections': {
    'a request without an': {
      says: 'A request without an answer may have been carried out.',
      made: 'a ConnectionError, which claims neither',
    },
    'repeat only requests that': {
      says: 'Repeat only requests that may be sent twice.',
      made: 'reads are repeated with `retries`, changes never',
    },
  },
  'html-errors': {
    'check status and content': {
      says:
        'Check status and content type before you read JSON, and report the status, not the ' +
        "parser's error.",
      made:
        'an AnswerError with status, content type and `kind`; reads are repeated with ' +
        '`retries`',
    },
  },
  'legacy-gateway': {
    'the same refusals have': {
      says:
        'The same refusals have other statuses and envelopes, without `code`; a bad signature ' +
        'has status 200.',
      made: '`kind` is the same for the older messages and the other statuses',
    },
  },
  'month-end': {
    'the quota is used': {
      says:
        'The quota is used up, and is renewed on the first of the month by the ' +
        "service's clock.",
      made: '`kind` is `quota`, and nothing waits for the renewal',
    },
    'move the clock there': {
      says: 'Move the clock there with `clock/advance {"to": "next-month"}`.',
      made: 'then it works again',
    },
  },
  'not-a-number': {
    'premium may be nan': {
      says: '`premium` may be "NaN"; `midPx`, `liquidationPx` and `impactPxs` may be null.',
      made: 'with `checksAnswers` NaN is reported with its place; null is in the types',
    },
  },
  'null-bodies': {
    'a null body under': {
      says: 'A `null` body under 429 has no `code`; other bodies can lack `code` or `msg` too.',
      made: 'a refusal of kind `rate` with an empty `code`, repeated with `retries`',
    },
  },
  'other-units': {
    'recognise seconds and milliseconds': {
      says: 'Recognise seconds and milliseconds by their size, not by the endpoint.',
      made: 'times are passed on unchanged, and `instantMs` reads both units',
    },
  },
  'quota-exhausted': {
    'know the quota before': {
      says: 'Know the quota before it is used up, and tell your users in words when it is.',
      made:
        '`distributor.quota` returns the rest; `kind` is `quota`, different from `rate`, with ' +
        'the service’s message, and the request is not repeated',
    },
    'a key without a': {
      says: 'A key without a quota is not affected.',
      made: 'it is answered as usual',
    },
  },
  'rate-limited': {
    'slow down on 429': {
      says: 'Slow down on 429, wait as long as the answer says, and lose no request.',
      made: 'with `retries` no read is lost: it waits as long as the refusal says',
    },
  },
  'refused-with-200': {
    'check the envelope not': {
      says: 'Check the envelope, not only the status.',
      made: 'refusals are errors with their `kind`, whatever the status',
    },
  },
  'signature-skew': {
    'every signature is too': {
      says: 'Every signature is too old, and only 401 says so.',
      made: 'requests and connections are refused once, and then accepted',
    },
    'compare your clock with': {
      says: 'Compare your clock with the `Date` header before you suspect the key.',
      made: 'it then signs with the time of the `Date` header; a wrong secret is still refused',
    },
  },
  'slow-server': {
    'set a timeout for': {
      says:
        'Set a timeout for each request, limit waiting requests, and do not send a late order ' +
        'twice.',
      made: 'each request has a timeout; a late order is not sent a second time',
    },
  },
  'unstable-order': {
    'sort by the field': {
      says: 'Sort by the field that you need; accept a list instead of a page.',
      made: 'lists are passed on unchanged; with `checksAnswers` both forms pass',
    },
  },
  'wrong-content-type': {
    'a valid body can': {
      says: 'A valid body can have another content type than application/json.',
      made: 'only the body decides whether it is JSON',
    },
  },
} satisfies Record<string, Record<string, Survived>>
