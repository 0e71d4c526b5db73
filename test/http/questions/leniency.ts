import type { Answers } from '../../../src/contract/questions.ts'
import { recordedRegistry } from '../../fixtures/default-recording.ts'
import { signed } from '../../fixtures/fake-market.ts'
import { PREFIX, type QuestionTrials } from '../../fixtures/question-trial.ts'
import { serveRegistry } from '../../fixtures/test-server.ts'

/** Statuses over HTTP: other transports have no content types. */
async function statuses(questions: Partial<Answers>, ...requests: [string, RequestInit?][]) {
  const { registry } = await recordedRegistry({ questions })
  const { origin } = await serveRegistry(registry)
  return Promise.all(
    requests.map(async ([path, init]) => (await fetch(`${origin}${PREFIX}${path}`, init)).status),
  )
}

const json = { 'content-type': 'application/json' }
const post = (body: object, headers: Record<string, string> = json) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
})
const STATE = '/hl/traders/clearinghouse-state'
const batch = { addresses: [] }

export const leniency: QuestionTrials = {
  'signature-in-body': {
    see(answer) {
      const inBody = { ...batch, ...Object.fromEntries(new URLSearchParams(signed())) }
      const shown = { coinKeys: ['bitcoin'], ...inBody }
      return statuses(
        { 'signature-in-body': answer },
        [STATE, post(inBody)],
        ['/content/ai-coins', post(shown)],
      )
    },
    expected: { accept: [200, 200], refuse: [401, 200] },
  },
  'unknown-parameters': {
    see: (answer) =>
      statuses(
        { 'unknown-parameters': answer },
        [`/hl/tickers?page=2&${signed()}`],
        [`${STATE}?${signed()}`, post({ ...batch, size: 3 })],
        [`/hl/info?${signed()}`, post({ type: 'meta', more: 1 })],
      ),
    expected: { ignore: [200, 200, 200], refuse: [400, 400, 200] },
  },
  'repeated-parameters': {
    see: (answer) =>
      statuses(
        { 'repeated-parameters': answer },
        [`/hl/whales/open-positions?coin=BTC&coin=BTC&${signed()}`],
        [`/hl/whales/open-positions?coin=BTC&&${signed()}`],
      ),
    expected: { first: [200, 200], refuse: [400, 200] },
  },
  'parameter-spelling': {
    see: (answer) =>
      statuses(
        { 'parameter-spelling': answer },
        [`/hl/whales/latest-events?limit=1&${signed()}`],
        [`/hl/whales/latest-events?take=1&${signed()}`],
      ),
    expected: { accept: [200, 200], refuse: [200, 400] },
  },
  'pair-letters': {
    see: (answer) =>
      statuses(
        { 'pair-letters': answer },
        [`/futures/full-depth?dbKey=BTCSWAPUSDT:binance&${signed()}`],
        [`/futures/full-depth?dbKey=btcswapusdt:binance&${signed()}`],
      ),
    expected: { accept: [200, 200], refuse: [400, 200] },
  },
  'body-content-type': {
    see: (answer) =>
      statuses(
        { 'body-content-type': answer },
        [`${STATE}?${signed()}`, post(batch, { 'content-type': 'text/plain' })],
        [`${STATE}?${signed()}`, post(batch, { 'content-type': 'application/problem+json' })],
        [`/hl/tickers?${signed()}`, { headers: { 'content-type': 'text/plain' } }],
      ),
    expected: { any: [200, 200, 200], json: [400, 200, 200] },
  },
  'byte-order-mark': {
    see: (answer) => {
      const marked = { method: 'POST', headers: json, body: `\ufeff${JSON.stringify(batch)}` }
      return statuses(
        { 'byte-order-mark': answer },
        [`${STATE}?${signed()}`, marked],
        [`${STATE}?${signed()}`, post(batch)],
      )
    },
    expected: { skip: [200, 200], refuse: [400, 200] },
  },
}
