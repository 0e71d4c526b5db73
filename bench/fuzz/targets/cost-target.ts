/**
 * Cost of input by size: each field of a declaration grows in length, number, depth and variety,
 * while processor time, the longest slice, memory and response size are measured. Superlinear
 * growth is a failure, and so is exceeding a limit.
 */
import fc from 'fast-check'
import type { TargetInventory } from '../../../src/conformance/example-filler.ts'
import type { Registry } from '../../../src/sandbox/registry.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { FAULTS } from '../../../src/sandbox/scenario/faults.ts'
import type { Session } from '../../../src/sandbox/session/session.ts'
import { hubOf } from '../../../src/sandbox/session/subscription-hub.ts'
import { controlRoutes } from '../../../src/server/control/index.ts'
import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { ownRegistry, recordedRegistry } from '../../../test/fixtures/default-recording.ts'
import { signed } from '../../../test/fixtures/fake-market.ts'
import { type LargestRequest, largestRequests } from '../../measure/largest-requests.ts'
import { timedRequest } from '../../measure/sliced-requests.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'
import {
  type Answer,
  type DeclaredRequest,
  type Scaled,
  scaledRequests,
} from '../scaled-requests.ts'

/** Ways to enlarge a value. */
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

/** Elements at the smallest of the three sizes, each four times the previous one. */
const BASE = 250
const SIZES = [BASE, 4 * BASE, 16 * BASE]

/** Smaller growth is noise, ms of processor time. */
const FLOOR_MS = 40
/** Maximum linear growth from the first size to the last: 16, plus noise. */
const GROWTH_MAX = 40
/** Processor time of one slice, at any size, ms. */
const SLICE_MAX_MS = 60
/** Maximum size of a refusal, bytes. */
const REFUSAL_MAX = 8_192
/** Memory still in use after a second of a playing market, bytes. */
const HELD_MAX = 256 << 20

type Script =
  | { request: number; growth: Growth }
  | { composed: number }
  | { faults: number[] }
  | { largest: number }

export const costTarget = fuzzTarget<Script>({
  name: 'cost',
  about: 'input of growing size to every declared field, and what it costs',
  perSecond: 4,
  async open() {
    const market = await openMarket()
    const { declared: requests, composed, remove } = scaledRequests(market)
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
      close() {
        remove()
        market.registry.close()
      },
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
  return { ...recorded, control, contract, frame: frameSender(registry) }
}

/** Sends one frame on a socket of its own, in turns; the received frames are the response. */
const frameSender =
  (registry: Registry) =>
  async (body: unknown): Promise<Answer> => {
    const sandbox = registry.get('default') as Sandbox
    const socket = memoryTransport(registry).connect(`/api/upgrade/v2/hl/ws?${signed()}`)
    if (!('frames' in socket)) throw new Error(socket.body)
    const session = [...hubOf(sandbox).sessions].at(-1) as Session | undefined
    if (!session) throw new Error('there is no session')
    try {
      await registry.turns.run(sandbox, session.receive(JSON.stringify(body)))
      const isRefused = socket.closeCode !== null || socket.frames.join('').includes('error')
      const length = socket.frames.reduce((sum, frame) => sum + frame.length, 0)
      return { status: isRefused ? 400 : 200, length }
    } finally {
      socket.close()
    }
  }

/** Measurements are repeated before they count: the machine has other load. */
async function checkGrowth(market: Market, request: Scaled): Promise<void> {
  let flaw: string | null = null
  for (let look = 0; look < REPEATS; look++) {
    flaw = await costFlaw(market, request)
    if (flaw === null) return
  }
  invariant(false, () => `${request.name}: ${flaw}`)
}

const REPEATS = 3

/** Flaw in a request's processor time; throws a flaw of its response. */
async function costFlaw(
  market: Market,
  { name, answerMax = Number.POSITIVE_INFINITY, isAlone, body, send }: Scaled,
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
    invariant(status !== 500, () => `${name}: an internal error at size ${size}`)
    costs.push(Math.min(first.costMs, second.costMs))
    const sliceMs = Math.min(first.sliceMs, second.sliceMs)
    if (!isAlone && sliceMs > SLICE_MAX_MS)
      return `a slice of ${sliceMs.toFixed(0)} ms at size ${size}, at most ${SLICE_MAX_MS}`
  }
  const [least = 0, , most = 0] = costs
  const growth = most / Math.max(least, 0.5)
  if (most < FLOOR_MS || growth <= GROWTH_MAX) return null
  return `sixteen times the size costs ${growth.toFixed(0)} times as much, ${most.toFixed(0)} ms`
}

/** Cost of a call, and its longest slice, ms of processor time. */
async function measured({ registry }: Market, call: () => Promise<Answer> | Answer) {
  const nowMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const startMs = nowMs()
  // Synchronous work before the first await is a slice as well.
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
 * Checks that no slice of a largest request is long, for a process's first and second request. Long
 * slices are measured again in an unread market.
 */
async function checkLargest(market: Market, at: number): Promise<void> {
  let longest = longestPiece(market, at)
  for (let look = 1; look < REPEATS && longest.ms > SLICE_MAX_MS; look++) {
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

/** Faults that multiply a push, at maximum size. */
const LARGE_FAULTS: readonly object[] = [
  { set: { field: 'px', value: 'Z'.repeat(300_000) } },
  { set: { field: 'px', value: 'Z'.repeat(60_000) } },
  { repeat: { times: 100 } },
  { burst: { size: 10_000 } },
  { rename: { field: 'px', to: 'y'.repeat(150) } },
  { 'back-pressure': { frames: 20_000 } },
]

/** Rules with such faults over a market that plays to a socket: held data stays bounded. */
async function checkFaults({ registry }: Market, faults: readonly number[]): Promise<void> {
  const rules = faults.map((at) => ({ on: { channel: '*' }, do: LARGE_FAULTS[at] }))
  invariant(rules.length <= FAULTS.size, () => 'more rules than faults')
  const sandbox = await registry.create({ clock: 'held' })
  const { parseScenario } = await import('../../../src/sandbox/scenario/scenario-parser.ts')
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
