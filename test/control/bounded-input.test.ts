/** Every input is bounded before it is processed, and its refusal is short. */
import { describe, expect, test } from 'bun:test'
import { runToEnd, type Slices } from '../../src/clock/turns.ts'
import { ProcessMemory } from '../../src/sandbox/memory.ts'
import { scenarioOf } from '../../src/sandbox/scenario/scenario-parser.ts'
import { BodyRoom } from '../../src/server/transport/elysia/http-response.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

/** Maximum length of a refusal, however much was sent. */
const REFUSAL_LENGTH = 8_000

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
const many = <T>(length: number, one: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => one(at))
const scenario = (rules: unknown, more: object = {}) => ({ title: 'x', rules, ...more })

const HOSTILE: Record<string, unknown> = {
  'rules that are numbers': scenario(many(50_000, () => 1)),
  'rules with unknown fields': scenario(many(8_000, () => ({ a: 1 }))),
  'as many rules as there may be, all wrong': scenario(many(500, () => ({ a: 1, b: 2, c: 3 }))),
  'market events with unknown fields': scenario([], { market: many(3_000, () => ({ a: 1 })) }),
  'as many events as there may be, all wrong': scenario([], {
    market: many(100, () => ({ a: 1 })),
  }),
  'unknown operations': scenario([
    { on: { operation: many(4_000, (at) => `perpdex.none${at}`) }, do: 'truncate' },
  ]),
  'as many unknown operations as there may be': scenario(
    many(500, (rule) => ({
      on: { operation: many(5, (at) => `perpdex.none${rule}x${at}`) },
      do: 'truncate',
    })),
  ),
  'coins that there are not': scenario(
    many(500, (rule) => ({ on: { coin: many(20, (at) => `N${rule}x${at}`) }, do: 'stale' })),
  ),
  'keys that there are not': scenario(
    many(500, (rule) => ({ on: { key: many(20, (at) => `n${rule}x${at}`) }, do: 'stale' })),
  ),
  'rules of one name': scenario(many(500, () => ({ name: 'same', do: 'stale' }))),
  'an unknown fault with a long name': scenario([{ do: 'x'.repeat(60_000) }]),
  'unknown fields with long names': scenario(many(100, () => ({ ['y'.repeat(100)]: 1 }))),
  'a long text': scenario([{ do: { set: { field: 'px', value: 'Z'.repeat(300_000) } } }]),
  'answers to unknown questions': scenario([], {
    questions: Object.fromEntries(many(400, (at) => [`none-${at}`, 'x'])),
  }),
  nesting: scenario([{ do: { set: { field: 'px', value: nested(5_000) } } }]),
}

describe('a hostile scenario is refused in a few words', () => {
  test.each(Object.keys(HOSTILE))('%s', async (name) => {
    const { control } = await serve()
    const { status, body } = await control('PUT', '/sandboxes/default/scenario', HOSTILE[name])
    expect(status).toBe(400)
    expect(body.error.length).toBeLessThan(REFUSAL_LENGTH)
    const made = await control('POST', '/sandboxes', { scenario: HOSTILE[name] })
    expect(made.status).toBe(400)
    expect(made.body.error.length).toBeLessThan(REFUSAL_LENGTH)
  })
})

test('the first twenty of many flaws are listed', async () => {
  const { control } = await serve()
  const rules = many(30, () => 1)
  const { body } = await control('PUT', '/sandboxes/default/scenario', scenario(rules))
  const lines = body.error.split('\n')
  expect(lines).toHaveLength(21)
  expect(lines[19]).toStartWith('scenario: rules.19 must be an object')
  expect(lines[20]).toBe('scenario: the scenario has more flaws: the first 20 are listed')
})

test('a scenario is read a rule at a time', () => {
  const slices = (work: Slices<unknown>) => {
    let count = 0
    for (const _ of { [Symbol.iterator]: () => work }) count++
    return count
  }
  const of = (count: number) => slices(scenarioOf(scenario(many(count, () => ({ do: 'stale' })))))
  expect(of(500) - of(100)).toBe(400)
  expect(runToEnd(scenarioOf(scenario([{ do: 'stale' }]))).rules).toHaveLength(1)
})

describe('a header that HTTP cannot carry is refused with the scenario', () => {
  const HEADERS: Record<string, Record<string, string>> = {
    'a line break in a value': { a: 'b\r\nSet-Cookie: c' },
    'a space in a name': { 'Bad Name': 'a' },
    'an empty name': { '': 'a' },
    'a colon in a name': { 'a:': 'b' },
    'the length of the message': { 'Content-Length': '1' },
    'its transfer coding': { 'transfer-encoding': 'chunked' },
    'its connection': { Connection: 'upgrade' },
    'letters of other alphabets': { a: 'Ω' },
    'a zero byte': { a: '\0' },
    'too much': { a: 'x'.repeat(20_000) },
  }
  test.each(Object.keys(HEADERS))('%s', async (name) => {
    const { control } = await serve()
    const headers = HEADERS[name]
    for (const fault of [
      { replace: { body: '', headers } },
      { status: { status: 200, headers } },
      { refuse: { status: 500, headers } },
    ]) {
      const answer = await control('PUT', '/sandboxes/default/scenario', scenario([{ do: fault }]))
      expect(answer.status).toBe(400)
      expect(answer.body.error).toContain('header')
    }
  })

  test('a content type as well', async () => {
    const { control } = await serve()
    const fault = { replace: { body: '', type: 'text/html\r\na: b' } }
    const answer = await control('PUT', '/sandboxes/default/scenario', scenario([{ do: fault }]))
    expect(answer.body.error).toContain('type that is no header value')
  })
})

describe('deep and large JSON causes no internal error', () => {
  test.each(['/explain', '/sandboxes/default/keys', '/sandboxes/default/await'])(
    '%s',
    async (path) => {
      const { control } = await serve()
      const deep = { name: nested(5_000), url: nested(5_000), kind: nested(5_000) }
      const { status, body } = await control('POST', path, deep)
      expect([status, body.error]).toEqual([
        400,
        'the body has lists or objects inside one another, at most 32 deep',
      ])
      const wide = await control('POST', path, { name: many(60_000, () => 1) })
      expect([wide.status, wide.body.error]).toEqual([400, 'the body has more than 20000 elements'])
    },
  )

  test('a new sandbox', async () => {
    const { control } = await serve()
    const deep = await control('POST', '/sandboxes', { name: nested(5_000) })
    expect([deep.status, deep.body.error]).toEqual([
      400,
      'the body has lists or objects inside one another, at most 32 deep',
    ])
  })

  test('a call of the contract', async () => {
    const { request } = memoryTransport((await recordedRegistry()).registry)
    const post = (more: object) =>
      request('POST', `${PREFIX}/hl/info?${signed()}`, JSON.stringify({ type: 'allMids', ...more }))
    expect(post({}).status).toBe(200)
    expect(post({ more: nested(5_000) }).status).toBe(400)
    expect(post({ more: many(60_000, () => 1) }).status).toBe(400)
  })
})

test('an explanation of long parameters is short', async () => {
  const { control } = await serve()
  const url = (nonce: string) =>
    `${PREFIX}/hl/tickers?AccessKeyId=demo&SignatureNonce=${nonce}&Timestamp=1&Signature=x`
  const long = await control('POST', '/explain', { url: url('n'.repeat(15_000)) })
  expect(long.status).toBe(200)
  expect(JSON.stringify(long.body).length).toBeLessThan(REFUSAL_LENGTH)
  expect(JSON.stringify(long.body)).toContain('… (15044 characters)')
  const body = { SignatureNonce: 'n'.repeat(20_000) }
  const inBody = `${PREFIX}/hl/info?AccessKeyId=demo&Timestamp=1&Signature=x`
  const posted = await control('POST', '/explain', { url: inBody, method: 'POST', body })
  expect(JSON.stringify(posted.body).length).toBeLessThan(REFUSAL_LENGTH)
  expect(JSON.stringify(posted.body)).toContain(
    'SignatureNonce has 20000 characters, at most 16384',
  )
  const longer = await control('POST', '/explain', { url: url('n'.repeat(900_000)) })
  expect(longer.status).toBe(400)
  expect(longer.body.error.length).toBeLessThan(REFUSAL_LENGTH)
})

test('a search for traders has a bounded number of conditions', async () => {
  const { request } = memoryTransport((await recordedRegistry()).registry)
  const search = (count: number) => {
    const filters = many(count, () => ({ field: 'winRate', op: '>', val: 0 }))
    return request('POST', `${PREFIX}/hl/traders/discover?${signed()}`, JSON.stringify({ filters }))
  }
  expect(search(100).status).toBe(200)
  const refused = search(1_000)
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('at most 100')
})

test('many large bodies at once are read up to a total size', async () => {
  const room = new BodyRoom()
  const memory = new ProcessMemory(fixedClock)
  const request = (headers: Record<string, string>) =>
    new Request('http://localhost/', { method: 'POST', headers })
  const of = (bytes: number) => room.take(request({ 'content-length': `${bytes}` }), memory)
  const taken = many(64, () => of(1 << 20))
  expect(taken.every((one) => typeof one === 'function')).toBeTrue()
  expect(of(1 << 20)).toBeString()
  expect(room.take(request({ 'transfer-encoding': 'chunked' }), memory)).toBeString()
  const packed = { 'content-length': '1000', 'content-encoding': 'gzip' }
  expect(room.take(request(packed), memory)).toBeString()
  expect(of(60_000)).toBeFunction()
  for (const release of taken) if (typeof release === 'function') release()
  expect(of(1 << 20)).toBeFunction()
})
