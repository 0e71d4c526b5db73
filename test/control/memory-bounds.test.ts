/** Memory held for tenants is counted in bytes: by sandbox, and in all. */
import { expect, spyOn, test } from 'bun:test'
import { Journal } from '../../src/sandbox/journal/journal.ts'
import { ProcessMemory, SandboxMemory, servingMemory } from '../../src/sandbox/memory.ts'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { hubOf } from '../../src/sandbox/session/subscription-hub.ts'
import { signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'
import { marketUnder } from './scenarios/scenario-market.ts'

const MB = 1 << 20
const CHANNELS = ['BTC', 'ETH', 'SOL', 'HYPE'].flatMap((coin) =>
  ['l2Book', 'trades', 'bbo'].map((type) => ({ type, coin })),
)

/** Rules that make much of each push, and a client that does not read. */
const LARGE = parseScenario({
  title: 'large pushes',
  rules: [
    { on: { channel: '*' }, do: { set: { field: 'px', value: 'Z'.repeat(60_000) } } },
    { on: { channel: '*' }, do: { repeat: { times: 100 } } },
    { on: { channel: '*' }, do: { repeat: { times: 100 } } },
    { on: { channel: '*' }, do: { 'back-pressure': { frames: 20_000 } } },
  ],
})

test('frames that wait for a client are bounded in bytes, and all are released', async () => {
  const { registry, sandbox, socket, advance } = await marketUnder(LARGE)
  const before = registry.memory.heldBytes - sandbox.memory.heldBytes
  socket(...CHANNELS)
  for (let second = 0; second < 10; second++) {
    await advance(1_000)
    expect(sandbox.memory.held.queues).toBeLessThanOrEqual(32 * MB)
  }
  expect(sandbox.memory.held.queues).toBeGreaterThan(16 * MB)
  expect(hubOf(sandbox).discardedCount).toBeGreaterThan(1_000)
  expect(sandbox.memory.held.journal).toBe(sandbox.journal.keptBytes)
  expect(registry.memory.heldBytes).toBe(before + sandbox.memory.heldBytes)
  registry.drop(sandbox.id)
  expect(registry.memory.heldBytes).toBe(before)
})

test('a repeated push is serialised once, and compared once by each idle rule', async () => {
  const idle = Array.from({ length: 40 }, () => ({
    on: { channel: 'l2Book' },
    do: { set: { field: 'absent', value: 1 } },
  }))
  const repeated = { on: { channel: 'l2Book' }, do: { repeat: { times: 100 } } }
  const scenario = parseScenario({ title: 'idle rules', rules: [repeated, ...idle] })
  const { socket, advance } = await marketUnder(scenario)
  const client = socket({ type: 'l2Book', coin: 'BTC' })
  const written = spyOn(JSON, 'stringify')
  try {
    await advance(2_000)
    const books = client.frames.filter((frame) => frame.includes('"l2Book"'))
    const length = written.mock.results.reduce(
      (sum, { value }) => sum + String(value ?? '').length,
      0,
    )
    const receivedLength = books.reduce((sum, frame) => sum + frame.length, 0)
    expect(books.length).toBeGreaterThanOrEqual(100)
    expect(length).toBeLessThan(receivedLength / 10)
  } finally {
    written.mockRestore()
  }
})

test('the work of rules on one push is bounded, and the rest is dropped and counted', async () => {
  const value = 'Z'.repeat(100_000)
  const large = { on: { channel: 'l2Book' }, do: { set: { field: 'px', value } } }
  const idle = { on: { channel: 'l2Book' }, do: { set: { field: 'absent', value: 1 } } }
  const rules = [large, ...Array.from({ length: 400 }, () => idle)]
  const { sandbox, socket, advance } = await marketUnder(parseScenario({ title: 'x', rules }))
  const client = socket({ type: 'l2Book', coin: 'BTC' })
  await advance(2_000)
  expect(client.frames.filter((frame) => frame.includes('ZZZ'))).toEqual([])
  expect(hubOf(sandbox).discardedCount).toBeGreaterThan(0)
})

test('the pushes held by a burst are bounded in bytes', async () => {
  const burst = parseScenario({
    title: 'a burst that never ends',
    rules: [{ on: { channel: '*' }, do: { burst: { size: 10_000 } } }],
  })
  const { sandbox, socket, advance } = await marketUnder(burst)
  const client = socket(...CHANNELS)
  let most = 0
  for (let turn = 0; turn < 12; turn++) {
    client.send('{"method":"ping"}')
    await advance(20_000)
    most = Math.max(most, sandbox.memory.held.faults)
  }
  expect(most).toBeGreaterThan(MB)
  expect(most).toBeLessThanOrEqual((4 * MB + 100_000) * CHANNELS.length)
  client.close()
  expect(sandbox.memory.held.faults).toBe(0)
})

test('the values set in an answer are bounded, whatever their number', async () => {
  const value = Array.from({ length: 1_000 }, () => 'x'.repeat(50))
  const rules = Array.from({ length: 10 }, () => ({ do: { set: { field: 'px', value } } }))
  const { ask, cast } = await marketUnder(parseScenario({ title: 'x', rules }))
  const address = cast().addresses.maker
  const answer = ask('/hl/info', 'full', { type: 'userFills', user: address })
  expect(answer.status).toBe(200)
  expect(answer.body.length).toBeGreaterThan(3 * MB)
  expect(answer.body.length).toBeLessThan(8 * MB)
})

test('active scenarios are counted, and not after a reset', async () => {
  const { sandbox } = await marketUnder(null)
  sandbox.faultInjection.add(LARGE)
  expect(sandbox.memory.held.scenarios).toBe(LARGE.length)
  sandbox.faultInjection.remove()
  expect(sandbox.memory.held.scenarios).toBe(0)
  sandbox.faultInjection.add(LARGE)
  sandbox.reset()
  expect(sandbox.memory.held.scenarios).toBe(0)
})

test('all journals together are bounded: beyond that each keeps little', () => {
  const memory = new ProcessMemory(fixedClock, { boundBytes: 64 * MB })
  const journals = Array.from(
    { length: 40 },
    () => new Journal(undefined, new SandboxMemory(memory)),
  )
  const entry = () => ({ ...ENTRY, body: 'x'.repeat(4_000) })
  for (let round = 0; round < 300; round++) for (const one of journals) one.record(entry())
  expect(memory.held.journal).toBeLessThanOrEqual(8 * MB + 40 * 64 * 1024)
  expect(memory.held.journal).toBe(journals.reduce((sum, { keptBytes }) => sum + keptBytes, 0))
  for (const one of journals) expect(one.keptCount + one.dropped).toBe(300)
})

const ENTRY = {
  kind: 'request',
  timeMs: 0,
  tapeMs: 0,
  method: 'GET',
  path: '/',
  query: '',
  body: '',
  operation: null,
  key: null,
  status: 200,
  lenient: [],
  answer: null,
  durationMs: 0,
  refusal: null,
  note: null,
} as unknown as Parameters<Journal['record']>[0] & { body: string }

test('a process at its bound refuses new work, and answers small requests', async () => {
  const { control, registry, origin } = await serve()
  const scenario = { title: 'x', rules: [{ do: 'stale' }] }
  registry.memory = new ProcessMemory(fixedClock, {
    boundBytes: 500e6,
    residentBytes: () => 600e6,
  })
  const why =
    'the server uses 600 MB of memory, at most 500 (serve --memory): ' +
    'drop sandboxes, close sockets, or give it more'
  expect(await control('POST', '/sandboxes', {})).toMatchObject({
    status: 503,
    body: { error: why },
  })
  const long = { ...scenario, guidance: 'x'.repeat(70_000) }
  const large = await control('PUT', '/sandboxes/default/scenario', long)
  expect(large).toMatchObject({ status: 503, body: { error: why } })
  const upgrade = await fetch(`${origin}${PREFIX}/hl/ws?${signed()}`, {
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  })
  expect(upgrade.status).toBe(503)
  expect(await upgrade.json()).toMatchObject({ msg: why })
  const read = await fetch(`${origin}${PREFIX}/hl/tickers?${signed()}`)
  expect(read.status).toBe(200)
  expect((await control('PUT', '/sandboxes/default/scenario', scenario)).status).toBe(200)
  expect(registry.memory.refusedCount).toBe(3)
})

test('garbage is collected before work is refused', () => {
  let used = 600e6
  const memory = new ProcessMemory(fixedClock, {
    boundBytes: 500e6,
    residentBytes: () => used,
    collect: () => (used = 400e6),
  })
  expect(memory.refusal()).toBeNull()
  expect(memory.refusedCount).toBe(0)
})

test('a sandbox shows its memory and processor time', async () => {
  const { control } = await serve()
  await control('PUT', '/sandboxes/default/scenario', { title: 'x', rules: [{ do: 'stale' }] })
  const { body } = await control('GET', '/sandboxes/default?usage=true')
  const { usage } = body as unknown as { usage: Record<'memory' | 'processor', object> }
  expect(usage.memory).toMatchObject({ boundBytes: 256 * MB, scenarios: 38, queues: 0, faults: 0 })
  expect(usage.processor).toMatchObject({ isOverBudget: false, recentShare: 0 })
})

test('the memory of a server is a size or a share, and too little is refused', () => {
  const bound = (given: Parameters<typeof servingMemory>[0], machineBytes = 4e9) => {
    const { boundBytes, casting } = servingMemory(given, machineBytes)
    return [boundBytes, casting.bytes]
  }
  expect(bound(undefined)).toEqual([2e9, 4e9])
  expect(bound('25%')).toEqual([1e9, 1e9])
  expect(bound(500e6)).toEqual([500e6, 500e6])
  expect(bound(64e9)).toEqual([4e9, 4e9])
  // Half of it would refuse all work from the beginning.
  expect(bound(undefined, 300e6)).toEqual([256e6, 300e6])
  expect(() => bound(undefined, 64e6)).toThrow(
    'a server needs at least 256 MB of memory, and this process may use 64 MB: ' +
      'give its container more, as docker run --memory 1g',
  )
  expect(() => bound('1%')).toThrow(
    'a server needs at least 256 MB of memory, and --memory allows 40 MB: raise --memory',
  )
})
