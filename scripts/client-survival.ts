/**
 * What the client makes of each scenario of the library. Each line is the name of a test, and a row
 * of the table in docs/client.md.
 */
export const SURVIVAL = {
  'already-subscribed':
    'a push or a second asking shows that a subscription holds; nothing is lost',
  'broken-feed':
    'older books are not passed on; with `auditsTrades` every minute that lacks trades is a `gap`',
  calm: 'what is recorded is what there was',
  'capital-addresses': 'pushes find their subscription whatever the case; nothing is lost',
  'code-as-number': 'envelopes are understood; with `checksAnswers` what changed its type is told',
  'crossed-book': 'a `LocalBook` refuses to be read, says why, and can be read again afterwards',
  'cut-short':
    'half a body is an AnswerError and asked for again; a batch that lacks rows is told with ' +
    '`checksAnswers`; any other list that is cut looks whole',
  'dropped-connections': 'reads are asked again with `retries`, changes never',
  'flaky-sockets': 'signed anew, subscribed again, what was missed is fetched; nothing is lost',
  'html-errors': 'an AnswerError with status and `kind`, and reads are asked again with `retries`',
  'legacy-gateway': '`kind` is the same in the older words and under the other statuses',
  'legacy-shapes': 'the types and the checks know these forms, too; nothing is lost',
  'liquidation-cascade': 'nothing is lost and nothing is told twice',
  'listing-day': 'a `LocalBook` is `empty` and not to be read; empty lists pass the checks',
  maintenance:
    'waits as long as `Retry-After` says; fills and candles are fetched, of trades the gap is told',
  'market-halt': 'one stream is `silent`, the connection is kept; what it lacks is a `gap`',
  'mixed-users': 'each user’s pushes go to his own subscription; nothing is lost',
  'month-end': '`kind` is `quota`, nothing waits for it, and it works again in the next month',
  'not-a-number': 'with `checksAnswers` NaN is told with its place; null is in the types',
  'null-bodies': 'a body of null is a refusal of kind `rate`, and asked again with `retries`',
  'other-units': 'times are passed on as they come, and `instantMs` reads either unit',
  'permission-lost': '`refused` with the permission that is missing, and not asked for again',
  'quota-exhausted': '`kind` is `quota`, told apart from `rate`, and not asked for again',
  'rate-limited': 'with `retries` no read is lost: it waits as long as the refusal says',
  'reconnect-storm': 'waits double and are spread; nothing is lost',
  'refused-subscription': '`refused`, also where no error comes: not acknowledged within 20 s',
  'refused-with-200': 'refusals are errors with their `kind`, whatever the status',
  'repeated-fills': 'each is told once, in order',
  'reused-address': 'each connection is signed anew; a refusal of one is no end; nothing is lost',
  'signature-skew': 'after a 401 it signs by the clock of the `Date` header',
  'silent-feed': '`silent` for each stream, the connection is renewed, and the gap is told',
  'slow-consumer': '`lost` and `gap` tell what never came; fills are fetched',
  'slow-server': 'each request has its time; what is late is not ordered a second time',
  'snapshot-again': 'a close in good order is a loss like any other; snapshots are not news',
  'stale-book': '`stale`, then `silent`; a `LocalBook` is not to be read; trades go on',
  'unstable-order': 'lists are passed on as they come: with `checksAnswers` either form passes',
  'wrong-content-type': 'what counts is whether the body is JSON',
} satisfies Record<string, string>
