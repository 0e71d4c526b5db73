/** `explain` returns the very answer, what decided, its basis and the mend, and changes nothing. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { RequestEntry } from '../../src/sandbox/journal/journal.ts'
import { type Explanation, explainRequest } from '../../src/sandbox/pipeline/explanation.ts'
import { routeOf } from '../../src/sandbox/pipeline/operation-call.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

/** A request: method, path with its query, body, and the signing key. */
type Sent = [method: string, target: string, body?: string, key?: string]

const RATE = { refuse: { as: 'rate' } }
const TICKERS: Sent = ['GET', '/hl/tickers']
const FUNDING = '/futures/funding-rate/history?interval=1h&symbol='
const ALERT = '{"coin":"BTC","type":"PRICE","direction":"UP","value":"1"}'

async function market(options: SandboxOptions = {}) {
  const { registry, sandbox } = await recordedRegistry({ epoch: 'tape', ...options })
  const transport = memoryTransport(registry)
  const targetOf = ([, target, , accessKey = 'demo']: Sent) =>
    `${PREFIX}${target}${target.includes('?') ? '&' : '?'}${signedQuery({ accessKey })}`
  const explain = (sent: Sent, target = targetOf(sent)): Explanation => {
    const [path = '', query = ''] = target.split('?')
    const [method, , body = ''] = sent
    const request = { method, path, params: {}, query, body, sandbox: undefined }
    return runToEnd(explainRequest(registry, routeOf(method, path), request))
  }
  const both = (sent: Sent) => {
    const target = targetOf(sent)
    const explained = explain(sent, target)
    const answered = transport.request(sent[0], target, sent[2])
    return { explained, answered }
  }
  return { registry, sandbox, transport, explain, both }
}

const REQUESTS: Record<string, Sent> = {
  'a good request': TICKERS,
  'a key without the permission': ['GET', '/hl/tickers', '', 'demo-bare'],
  'a missing parameter': ['GET', '/futures/latest-depth'],
  'an invalid parameter': ['GET', `${FUNDING}btcswapusdt:binance&limit=x`],
  'an unknown symbol': ['GET', `${FUNDING}btcswap:binance`],
  'a magic coin': ['GET', '/hl/tickers/coin/TRY-429'],
  'a magic page of a gateway': ['GET', '/hl/tickers/coin/TRY-502'],
  'a magic empty answer': ['GET', '/hl/tickers/coin/TRY-204'],
  'a path that is none': ['GET', '/hl/tikers'],
  'a wrong method': ['POST', '/coin'],
  'an alert': ['POST', '/signal/alert', ALERT],
  'an unknown info type': ['POST', '/hl/info', '{"type":"nothing"}'],
  'a level': ['PUT', '/distributor/levels/gold', '{"actions":["HL_TICKERS"]}', 'demo-partner'],
  'a broken body': ['POST', '/hl/info', '{'],
}

for (const [name, sent] of Object.entries(REQUESTS))
  test(`explain has the very answer of ${name}`, async () => {
    const { both } = await market()
    const { explained, answered } = both(sent)
    const { status, contentType, body } = answered
    expect(explained.answer).toMatchObject({ status, contentType, body: body.slice(0, 16_000) })
    const isFine = status === 200 && !name.includes('magic') && !name.includes('unknown')
    expect(explained.reason === null).toBe(isFine)
    const failed = explained.checks.filter(({ passed }) => !passed)
    expect(failed.some(({ check }) => check === explained.reason?.check)).toBe(!isFine)
  })

test('what is explained is not counted, stored, journaled or sent to subscribers', async () => {
  const { sandbox, explain } = await market()
  sandbox.faultInjection.add(
    parseScenario({ title: 'x', rules: [{ on: { nth: 2 }, do: RATE }] }, 'x'),
  )
  const state = () => ({ ...sandboxStateOf(sandbox), digest: sandbox.outputDigest.text })
  const before = JSON.stringify(state())
  const seq = sandbox.journal.newest
  for (const sent of Object.values(REQUESTS)) for (let n = 0; n < 3; n++) explain(sent)
  expect(JSON.stringify(state())).toBe(before)
  expect(sandbox.journal.newest).toBe(seq)
  expect([sandbox.nonces.size, sandbox.stopListeners.size]).toEqual([0, 0])
})

test('explain foresees what counters decide: rates, quotas and timed rules', async () => {
  const scenarios = [
    { title: 'a', rules: [{ on: { nth: 2 }, do: { refuse: { as: 'fault' } } }] },
    { title: 'b', rules: [{ on: { probability: 0.5 }, do: { refuse: { as: 'rate' } } }] },
    { title: 'c', rules: [{ do: { 'remaining-quota': { requests: 2 } } }] },
  ]
  for (const scenario of scenarios) {
    const { sandbox, both } = await market({ questions: { 'other-key-limits': 'free' } })
    sandbox.faultInjection.add(parseScenario(scenario, 'x'))
    const seen = Array.from({ length: 20 }, () => both(TICKERS))
    expect(seen.map(({ explained }) => explained.answer?.status)).toEqual(
      seen.map(({ answered }) => answered.status),
    )
    expect(new Set(seen.map(({ answered }) => answered.status)).size).toBeGreaterThan(1)
  }
})

test('a reused nonce is explained before and after its first use', async () => {
  const { explain, transport } = await market({ questions: { 'nonce-reuse': 'reject' } })
  const target = `${PREFIX}/hl/tickers?${signedQuery({ accessKey: 'demo' })}`
  const status = () => explain(TICKERS, target).answer?.status
  expect([status(), transport.request('GET', target).status, status()]).toEqual([200, 200, 401])
  const { reason } = explain(TICKERS, target)
  expect([reason?.check, reason?.question?.id]).toEqual(['signature', 'nonce-reuse'])
})

test('what a strict sandbox refuses fails the check of parameters', async () => {
  const { both } = await market({ strict: true })
  const { explained, answered } = both(['GET', '/hl/tickers?page=2'])
  expect([explained.answer?.status, answered.status]).toEqual([400, 400])
  expect(explained.reason?.question?.id).toBe('unknown-parameters')
  const checked = explained.checks.find(({ check }) => check === 'parameters')
  expect(checked?.passed).toBe(false)
})

test('the reason has what decided, its basis and the mend', async () => {
  const { explain } = await market()
  const reason = (name: string) => explain(REQUESTS[name] as Sent).reason
  expect(reason('an unknown symbol')).toMatchObject({
    check: 'answer',
    detail: 'Unsupported symbol: btcswap:binance',
    mend: 'did you mean btcswapusdt:binance?',
    contract: null,
    question: { id: 'unknown-symbol', answer: 'refuse' },
  })
  expect(reason('a key without the permission')).toMatchObject({
    check: 'permission',
    detail: 'key "demo-bare" lacks HL_TICKERS',
    contract: { place: 'Errors', sentence: expect.stringContaining('HTTP 403') },
  })
  expect(reason('a missing parameter')).toMatchObject({
    check: 'parameters',
    mend: 'for example dbKey=btcswapusdt:binance',
    contract: { sentence: expect.stringContaining('Missing required parameter') },
  })
  expect(reason('a path that is none')?.mend).toBe(`did you mean ${PREFIX}/hl/tickers?`)
  expect(reason('a wrong method')?.mend).toBe('use GET')
  expect(reason('a magic coin')).toMatchObject({
    check: 'magic',
    detail: 'TRY-429 is magic: too many requests, as "rate"',
  })
})

test('the magic 429 names one limit, and when to try again', async () => {
  const { both } = await market()
  const seen = Array.from({ length: 4 }, () => both(['GET', '/hl/tickers/coin/TRY-429']))
  expect(new Set(seen.map(({ answered }) => answered.body)).size).toBe(1)
  for (const { answered, explained } of seen) {
    expect(answered.headers).toMatchObject({ 'retry-after': '30' })
    expect(explained.answer?.headers).toEqual({ 'retry-after': '30' })
  }
})

test('a refusal is in the journal with its key, and with its reason of that time', async () => {
  const { sandbox, transport, both, registry } = await market()
  const wrong = signedQuery({ accessKey: 'demo', secretKey: 'demo-sub-secret' })
  for (const name of ['a key without the permission', 'a missing parameter', 'a path that is none'])
    both(REQUESTS[name] as Sent)
  transport.request('GET', `${PREFIX}/hl/tickers?${wrong}`)
  transport.request('GET', `/s/default/info?${wrong}`)
  sandbox.tenancy.removeKey('demo-bare')
  const entries = [...sandbox.journal.after(0)] as RequestEntry[]
  expect(entries.map(({ key, status, reason }) => [key, status, reason?.check])).toEqual([
    ['demo-bare', 403, 'permission'],
    ['demo', 400, 'parameters'],
    ['demo', 404, 'route'],
    ['demo', 401, 'signature'],
    ['demo', 405, 'route'],
  ])
  expect(entries[3]?.reason).toMatchObject({
    detail: 'it is signed with the secret of key "demo-sub"',
    mend: 'send the AccessKeyId that belongs to the secret key',
  })
  expect(registry.list()).toHaveLength(1)
})

test('refused upgrades are in the journal with their key and reason', async () => {
  const { sandbox, transport } = await market()
  transport.connect(`${PREFIX}/hl/ws?${signedQuery({ accessKey: 'demo', secretKey: 'x' })}`)
  transport.connect(`${PREFIX}/hl/ws?${signedQuery({ accessKey: 'demo-bare' })}`)
  const entries = [...sandbox.journal.after(0)] as { key: string; reason: { check: string } }[]
  expect(entries.map(({ key, reason }) => [key, reason.check])).toEqual([
    ['demo', 'signature'],
    ['demo-bare', 'permission'],
  ])
})

test('explain has the very answer to an upgrade, and what decided', async () => {
  const { explain, transport, sandbox } = await market()
  const keys = { demo: 101, 'demo-bare': 403, unknown: 401 }
  for (const [accessKey, status] of Object.entries(keys)) {
    const target = `${PREFIX}/hl/ws?${signedQuery({ accessKey })}`
    const { answer, reason } = explain(['GET', ''], target)
    expect([accessKey, answer?.status]).toEqual([accessKey, status])
    const connected = transport.connect(target)
    expect('status' in connected ? connected.body : '').toBe(answer?.body ?? '')
    const checks: Record<number, string> = { 403: 'permission', 401: 'signature' }
    expect(reason?.check as string | undefined).toBe(checks[status])
  }
  // The three of the client itself.
  expect(sandbox.journal.newest).toBe(3)
  expect(explain(['GET', ''], '/ws')).toMatchObject({
    answer: { status: 404 },
    reason: { check: 'route' },
  })
})

test('content types are explained for a body that the venue refuses by them', async () => {
  const { control } = await serve({ profile: 'raw' })
  const answer = async (contentType: string | null | undefined) => {
    const request = {
      url: '/info',
      method: 'POST',
      body: { type: 'l2Book', coin: 'BTC' },
      contentType,
    }
    const { body } = await control('POST', '/explain', request)
    const { answer, reason } = body as unknown as Explanation
    return [answer?.status, reason?.mend ?? null]
  }
  const mend = 'send the header `Content-Type: application/json`'
  expect(await answer('text/plain')).toEqual([415, mend])
  expect(await answer(null)).toEqual([415, mend])
  expect(await answer('application/json')).toEqual([200, null])
  expect(await answer(undefined)).toEqual([200, null])
})
