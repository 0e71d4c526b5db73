/**
 * What input costs by its size: each field of a declaration is made larger, by length, number,
 * depth and variety, and processor time, the longest slice, memory and the size of the answer are
 * measured. More than linear growth is a failure, and so is more than a bound.
 */
import fc from 'fast-check'
import { type LargestRequest, largestRequests } from '../../bench/measure/largest-requests.ts'
import { timedRequest } from '../../bench/measure/sliced-requests.ts'
import type { TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { TSchema } from '../../src/contract/schema.ts'
import { FAULTS } from '../../src/sandbox/scenario/faults.ts'
import { hubOf } from '../../src/sandbox/session/subscription-hub.ts'
import { controlRoutes } from '../../src/server/control/index.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { ownRegistry, recordedRegistry } from '../../test/fixtures/default-recording.ts'
import { signed } from '../../test/fixtures/fake-market.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'

/** How a value is made large. */
const GROWTHS = {
  'a long text': (n: number) => 'x'.repeat(n * 64),
  'a text of many parts': (n: number) => Array.from({ length: n }, (_, at) => `p${at}`).join(','),
  'many numbers': (n: number) => Array(n).fill(1),
  'many different texts': (n: number) => Array.from({ length: n }, (_, at) => `name-${at}`),
  'many objects': (n: number) => Array.from({ length: n }, () => ({ a: 1, b: 2, c: 3 })),
  'many fields': (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, at) => [`f${at}`, at])),
  'deep lists': (n: number) => nested(n, (inner) => [inner]),
  'deep objects': (n: number) => nested(n, (inner) => ({ a: inner })),
} as const
type Growth = keyof typeof GROWTHS

function nested(depth: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = around(value)
  return value
}

/** A request whose size follows from a number. */
interface Scaled {
  name: string
  /** Bytes of an answer at most, where they do not follow from what was found. */
  answerMax?: number
  body(n: number): unknown
  send(body: unknown): Promise<Answer> | Answer
}

interface Answer {
  status: number
  length: number
}

/** Elements at the smallest of the three sizes, each four times the one before. */
const BASE = 250
const SIZES = [BASE, 4 * BASE, 16 * BASE]

/** Below this growth is noise, ms of processor time. */
const FLOOR_MS = 40
/** Growth from the first size to the last that is taken for linear: 16, and room for noise. */
const GROWTH_MAX = 40
/** Processor time of one slice, at any size, ms. */
const SLICE_MAX_MS = 60
/** A refusal, bytes. */
const REFUSAL_MAX = 8_192
/** Memory that stays in use after a second of a playing market, bytes. */
const HELD_MAX = 256 << 20

type Script =
  | { request: number; growth: Growth }
  | { composed: number }
  | { faults: number[] }
  | { largest: number }

export const costTarget = fuzzTarget<Script>({
  name: 'cost',
  about: 'input of growing size to every declared field, and what it costs',
  perSecond: 40,
  async open() {
    const market = await openMarket()
    const requests = declaredRequests(market)
    const composed = composedRequests(market)
    const largest = largestOf(market)
    const growths = Object.keys(GROWTHS) as Growth[]
    return {
      scripts: fc.oneof(
        { weight: 3, arbitrary: fc.record({ composed: fc.nat(composed.length - 1) }) },
        {
          weight: 6,
          arbitrary: fc.record({
            request: fc.nat(requests.length - 1),
            growth: fc.constantFrom(...growths),
          }),
        },
        { weight: 6, arbitrary: fc.record({ largest: fc.nat(largest.length - 1) }) },
        {
          weight: 1,
          arbitrary: fc.record({
            faults: fc.array(fc.nat(LARGE_FAULTS.length - 1), { minLength: 1, maxLength: 3 }),
          }),
        },
      ),
      async check(script) {
        if ('faults' in script) return checkFaults(market, script.faults)
        if ('largest' in script) return checkLargest(market, script.largest)
        if ('composed' in script) return checkGrowth(market, composed[script.composed] as Scaled)
        const { name, put } = requests[script.request] as DeclaredRequest
        const grow = GROWTHS[script.growth]
        return checkGrowth(market, { name: `${name} = ${script.growth}`, ...put(grow) })
      },
      close: () => market.registry.close(),
    }
  },
})

type Market = Awaited<ReturnType<typeof openMarket>>

async function openMarket() {
  const recorded = await recordedRegistry({ clock: 'held', metering: 'off' })
  const { registry } = recorded
  const routes = new Map(
    controlRoutes(registry, { token: null }).map((route) => [
      `${route.method} ${route.path}`,
      route,
    ]),
  )
  const control = async (method: string, path: string, body: unknown): Promise<Answer> => {
    const route = routes.get(`${method} ${path}`)
    if (!route) throw new Error(`there is no ${method} ${path}`)
    const params = { id: 'default', bookmark: 'b', accessKey: 'demo' }
    const origin = 'http://127.0.0.1'
    const text = JSON.stringify(body)
    const sent = { params, query: '', body: text, headers: new Headers(), origin }
    const { status, body: said } = await route.answer(sent)
    return { status, length: typeof said === 'string' ? said.length : 0 }
  }
  const { request } = memoryTransport(registry)
  const contract = (path: string, body: unknown): Answer => {
    const query = `${path}?${signed()}`
    const answer = request('POST', `/api/upgrade/v2${query}`, JSON.stringify(body))
    return { status: answer.status, length: answer.body.length }
  }
  return { ...recorded, control, contract }
}

/** A field of a declaration, and how a request is made of a value that grows. */
interface DeclaredRequest {
  name: string
  put(grow: (n: number) => unknown): Pick<Scaled, 'body' | 'send'>
}

/** Calls that wait, end things, or are about other processes. */
const LEFT_OUT = new Set(['await', 'sandbox.drop', 'sandbox.reset', 'conformance.start'])

/** Every field of the body of every call and operation. */
function declaredRequests({ control, contract }: Market): DeclaredRequest[] {
  const calls = CONTROL_OPERATIONS.filter(({ id, method }) => method !== 'GET' && !LEFT_OUT.has(id))
  const ofCalls = calls.flatMap(({ id, method, path, params }) =>
    fieldPaths(params?.body).map((at) => ({
      name: `${id} ${at.join('.')}`,
      put: (grow: (n: number) => unknown) => ({
        body: (n: number) => within(at, grow(n)),
        send: (body: unknown) => control(method, `/_control${path}`, body),
      }),
    })),
  )
  const posts = OPERATIONS.filter(({ method, path }) => method === 'POST' && !path.includes(':'))
  const ofPosts = posts.flatMap(({ id, path, params }) =>
    [...fieldPaths(params.body), ['SignatureNonce'], ['type']].map((at) => ({
      name: `${id} ${at.join('.')}`,
      put: (grow: (n: number) => unknown) => ({
        body: (n: number) => within(at, grow(n)),
        send: (body: unknown) => contract(path, body),
      }),
    })),
  )
  return [...ofCalls, ...ofPosts]
}

function fieldPaths(schema: TSchema | undefined, depth = 2): string[][] {
  const fields = Object.entries((schema?.properties ?? {}) as Record<string, TSchema>)
  return fields.flatMap(([name, field]) => [
    [name],
    ...(depth > 1 ? fieldPaths(field, depth - 1).map((inner) => [name, ...inner]) : []),
  ])
}

const within = (at: readonly string[], value: unknown): unknown =>
  at.reduceRight((inner, name) => ({ [name]: inner }), value)

const many = <T>(n: number, one: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => one(at))

/** Documents in which several fields are as large as they may be, and those that are refused. */
function composedRequests({ control, contract }: Market): Scaled[] {
  const scenario = (name: string, of: (n: number) => object): Scaled => ({
    name: `scenario of ${name}`,
    body: (n) => ({ title: 'x', rules: [], ...of(n) }),
    send: (body) => control('PUT', '/_control/sandboxes/:id/scenario', body),
  })
  const rules = (name: string, rule: (at: number) => unknown) =>
    scenario(name, (n) => ({ rules: many(n, rule) }))
  const texts = (count: number, about: string) => many(count, (at) => `${about}${at}`)
  const discover = (name: string, of: (n: number) => object): Scaled => ({
    name: `discover with ${name}`,
    body: of,
    send: (body) => contract('/hl/traders/discover', body),
  })
  const explained = (name: string, url: (n: number) => string): Scaled => ({
    name: `explain with ${name}`,
    answerMax: 64 << 10,
    body: (n) => ({ url: url(n) }),
    send: (body) => control('POST', '/_control/explain', body),
  })
  const signature = 'AccessKeyId=demo&Timestamp=1&Signature=x'
  return [
    rules('numbers', () => 1),
    rules('unknown fields', () => ({ a: 1 })),
    rules('one name', () => ({ name: 'same', do: 'stale' })),
    rules('rules', () => ({ do: 'stale' })),
    scenario('rules with coins', (n) => ({
      rules: many(Math.min(500, n / 8), () => ({ on: { coin: COINS }, do: 'stale' })),
    })),
    scenario('rules with unknown coins', (n) => ({
      rules: many(Math.min(500, n / 8), (at) => ({
        on: { coin: texts(20, `n${at}`) },
        do: 'stale',
      })),
    })),
    scenario('unknown operations', (n) => ({
      rules: [{ on: { operation: texts(n, 'perpdex.none') }, do: 'truncate' }],
    })),
    scenario('unknown keys', (n) => ({ rules: [{ on: { key: texts(n, 'k') }, do: 'stale' }] })),
    scenario('market events', (n) => ({ market: many(n, () => ({ a: 1 })) })),
    scenario('answers', (n) => ({
      questions: Object.fromEntries(texts(n, 'q').map((id) => [id, 'x'])),
    })),
    discover('filters', (n) => ({
      filters: many(n, () => ({ field: 'winRate', op: '>', val: 0 })),
    })),
    discover('coins', (n) => ({ anyCoins: texts(n, 'C') })),
    discover('columns', (n) => ({ selects: texts(n, 'col') })),
    explained('a nonce', (n) => `${TICKERS}?${signature}&SignatureNonce=${'n'.repeat(n * 200)}`),
    explained('an address', (n) => `/api/upgrade/v2/hl/fills/${'a'.repeat(n * 200)}?${signature}`),
    explained('parameters', (n) => `${TICKERS}?${texts(n, 'p').join('=1&')}&${signature}`),
  ]
}

const TICKERS = '/api/upgrade/v2/hl/tickers'
const COINS = ['BTC', 'ETH', 'SOL', 'HYPE'].flatMap((coin) => many(5, () => coin))

/** What is measured is looked at again before it is believed: the machine does other things too. */
async function checkGrowth(market: Market, request: Scaled): Promise<void> {
  let flaw: string | null = null
  for (let look = 0; look < LOOKS; look++) {
    flaw = await costFlaw(market, request)
    if (flaw === null) return
  }
  invariant(false, () => `${request.name}: ${flaw}`)
}

const LOOKS = 3

/** What is wrong with the processor time of a request; throws what is wrong with its answer. */
async function costFlaw(
  market: Market,
  { name, answerMax = Number.POSITIVE_INFINITY, body, send }: Scaled,
): Promise<string | null> {
  const costs: number[] = []
  for (const size of SIZES) {
    const value = body(size)
    const first = await measured(market, () => send(value))
    const second = await measured(market, () => send(value))
    const { status, length } = first.answer
    const most = status < 400 ? answerMax : REFUSAL_MAX
    invariant(
      length <= most,
      () => `${name}: ${status} with ${length} bytes at size ${size}, at most ${most}`,
    )
    invariant(status !== 500, () => `${name}: a fault of ours at size ${size}`)
    costs.push(Math.min(first.costMs, second.costMs))
    const sliceMs = Math.min(first.sliceMs, second.sliceMs)
    if (sliceMs > SLICE_MAX_MS)
      return `a slice of ${sliceMs.toFixed(0)} ms at size ${size}, at most ${SLICE_MAX_MS}`
  }
  const [least = 0, , most = 0] = costs
  const growth = most / Math.max(least, 0.5)
  if (most < FLOOR_MS || growth <= GROWTH_MAX) return null
  return `sixteen times the size costs ${growth.toFixed(0)} times as much, ${most.toFixed(0)} ms`
}

/** What a call costs, and the longest that it held the thread, ms of processor time. */
async function measured({ registry }: Market, call: () => Promise<Answer> | Answer) {
  const nowMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const startMs = nowMs()
  // What is done at once, before anything is awaited, is a slice as well.
  const answering = call()
  let sliceMs = nowMs() - startMs
  let beganMs = 0
  registry.turns.monitor = {
    begin: () => {
      beganMs = nowMs()
    },
    end: () => {
      sliceMs = Math.max(sliceMs, nowMs() - beganMs)
    },
  }
  try {
    const answer = await answering
    return { answer, costMs: nowMs() - startMs, sliceMs }
  } finally {
    registry.turns.monitor = null
  }
}

type RecordedMarket = Awaited<ReturnType<typeof recordedRegistry>>

/** The largest ranges and pages of every reading operation. */
function largestOf({ sandbox, cast }: RecordedMarket) {
  const { addresses, ...inventory } = cast() as ReturnType<typeof cast> & TargetInventory
  return largestRequests({
    inventory: { ...inventory, addresses },
    addresses: Object.values(addresses)
      .flat()
      .filter((one) => one !== null),
    coins: inventory.coins,
    nowMs: sandbox.clock.nowMs(),
  })
}

/**
 * A request of the largest range, the first of a process and the second: no piece of it holds the
 * thread for long. What seems to is looked at again in a market of which nothing was read.
 */
async function checkLargest(market: Market, at: number): Promise<void> {
  let longest = longestPiece(market, at)
  for (let look = 1; look < LOOKS && longest.ms > SLICE_MAX_MS; look++) {
    const fresh = await ownRegistry()
    longest = longestPiece(fresh, at)
    fresh.registry.close()
  }
  invariant(
    longest.ms <= SLICE_MAX_MS,
    () => `${longest.name}: a slice of ${longest.ms.toFixed(0)} ms, at most ${SLICE_MAX_MS}`,
  )
}

function longestPiece(market: RecordedMarket, at: number) {
  const request = largestOf(market)[at] as LargestRequest
  const pieces = [1, 2].map(() => timedRequest(market.registry, request).longestMs)
  return { name: request.name, ms: Math.max(...pieces) }
}

/** Faults that make much of a push, as large as they may be. */
const LARGE_FAULTS: readonly object[] = [
  { set: { field: 'px', value: 'Z'.repeat(300_000) } },
  { set: { field: 'px', value: 'Z'.repeat(60_000) } },
  { repeat: { times: 100 } },
  { burst: { size: 10_000 } },
  { rename: { field: 'px', to: 'y'.repeat(150) } },
  { 'back-pressure': { frames: 20_000 } },
]

/** Rules of such faults over a market that plays to a socket: what is held stays bounded. */
async function checkFaults({ registry }: Market, faults: readonly number[]): Promise<void> {
  const rules = faults.map((at) => ({ on: { channel: '*' }, do: LARGE_FAULTS[at] }))
  invariant(rules.length <= FAULTS.size, () => 'more rules than faults')
  const sandbox = await registry.create({ clock: 'held' })
  const { parseScenario } = await import('../../src/sandbox/scenario/scenario-parser.ts')
  try {
    sandbox.faultInjection.add(parseScenario({ title: 'x', rules }))
    const { accessKey, secretKey } = sandbox.keys.full
    const socket = memoryTransport(registry).connect(
      `/api/upgrade/v2/hl/ws?${signed(accessKey, 0, secretKey)}`,
    )
    if (!('frames' in socket)) throw new Error(socket.body)
    for (const coin of ['BTC', 'ETH', 'SOL', 'HYPE'])
      for (const type of ['l2Book', 'trades', 'bbo'])
        socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin } }))
    for (let step = 0; step < 20; step++) {
      await sandbox.clock.advance(100)
      const sent = socket.frames.splice(0).reduce((sum, { length }) => sum + length, 0)
      const waiting = [...hubOf(sandbox).sessions].flatMap(({ sendQueue }) => sendQueue.waiting)
      const held = waiting.reduce((sum, { length }) => sum + length, sent)
      invariant(held <= HELD_MAX, () => `${held} bytes of frames at once, at most ${HELD_MAX}`)
    }
  } finally {
    registry.drop(sandbox.id)
  }
}
