/** What callers send: examples of the document, each of which the server takes. */

export interface CallExample {
  name: string
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
}

/** The examples of a call, by its id; the first is what one begins with. */
export const callExamplesOf = (id: string): readonly CallExample[] => EXAMPLES[id] ?? []

/** Of what stands in paths, where a call does not say otherwise. */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  id: 'default',
  key: 'demo-sub',
  bookmark: 'before-crash',
}

const MINUTE_MS = 60_000
const DIRECT_KEY = 'one that may ask for tickers only'

const EXAMPLES: Readonly<Record<string, readonly CallExample[]>> = {
  'await.settled': [
    { name: 'nothing is queued any more', body: { queued: 0, timeoutMs: 1000 } },
    { name: 'no socket is needed', body: { connections: 0, timeoutMs: 1000 } },
  ],
  'bookmark.set': [
    { name: 'where the market is now', body: {} },
    { name: 'ten minutes after the start', body: { at: 10 * MINUTE_MS } },
  ],
  'clock.set': [{ name: 'hold it', body: { state: 'held' } }],
  'clock.advance': [
    { name: 'half a minute', body: { ms: 30_000 } },
    { name: 'until rates are refilled', body: { to: 'next-minute' } },
  ],
  explain: [{ name: 'a request without a signature', body: { url: '/api/upgrade/v2/hl/tickers' } }],
  'invite.create': [
    { name: 'a free token', body: {} },
    { name: 'a small distributor', body: { name: 'Small', maxSubKeys: 2, maxTotalQuota: 1000 } },
  ],
  'journal.read': [
    { name: 'refused requests', query: { kind: 'request', status: '401' } },
    { name: 'the newest ten', query: { limit: '10' } },
  ],
  'journal.count': [{ name: 'all requests', query: { kind: 'request' } }],
  'journal.set': [{ name: 'a small one', body: { bytes: 1_000_000 } }],
  'key.create': [
    { name: 'a sub key', body: { kind: 'sub', name: 'customer two', level: 'basic' } },
    { name: DIRECT_KEY, body: { kind: 'direct', permissions: ['HL_TICKERS'] } },
  ],
  'key.change': [
    { name: 'a lower rate', body: { limits: { ratePerMinute: 5 } } },
    { name: 'lock it', body: { status: 'disabled' } },
  ],
  'playhead.set': [
    { name: 'ten times as fast', body: { speed: 10 } },
    { name: 'back to the start', body: { at: 0 } },
  ],
  'playhead.step': [
    { name: 'the next event', body: {} },
    { name: 'the next trade of a coin', body: { coin: 'BTC', kind: 'trade' } },
  ],
  'playhead.run': [{ name: 'until a trade', body: { until: 'coin == BTC and kind == trade' } }],
  'sandbox.create': [
    { name: 'one for a test', body: { clock: 'held' } },
    { name: 'a fast market', body: { speed: 50, end: 'loop' } },
    { name: 'the venue itself', body: { profile: 'raw' } },
  ],
  'scenario.add': [{ name: 'books stop', body: { name: 'stale-book' } }],
  'scenario.set': [
    { name: 'one of the library', body: { name: 'stale-book' } },
    {
      name: 'one in full',
      body: {
        title: 'Every second read of the venue is slow',
        rules: [{ on: { operation: 'perpdex.*', everyNth: 2 }, do: { delay: { ms: 500 } } }],
      },
    },
  ],
  'usage.set': [{ name: 'ten are left', body: { remaining: 10 } }],
}
