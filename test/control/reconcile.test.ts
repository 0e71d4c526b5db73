/** Whether the answers about an address or a coin agree, as the control plane shows it. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { factsAnswerer } from '../../src/contract/identities/facts-answers.ts'
import type { Identity } from '../../src/contract/identities/identity.ts'
import { ADDRESS_IDENTITIES, COIN_IDENTITIES } from '../../src/contract/identities.ts'
import { Exact } from '../../src/decimal/exact.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const { registry, sandbox, cast } = await recordedRegistry()
const call = controlCaller(registry)
const params = { id: sandbox.id }
const [address = ''] = Object.values(cast().addresses)

const isRecord = (records: unknown) => typeof records === 'object' && records !== null

const SUBJECTS = { address: ADDRESS_IDENTITIES, coin: COIN_IDENTITIES }

test.each([
  ['address', address],
  ['coin', 'BTC'],
] as const)('all identities of one %s are shown with both sides', async (kind, subject) => {
  const { status, body } = await call('reconcile', { params, query: `${kind}=${subject}` })
  expect(status).toBe(200)
  expect(body).toMatchObject({ [kind]: subject, holds: true })
  expect(body.identities.map(({ id }: { id: string }) => id)).toEqual(
    SUBJECTS[kind].map(({ id }) => id),
  )
  for (const { count, compared, holds } of body.identities) {
    expect(compared.length).toBe(Math.min(count, 50))
    expect(holds).toBe(true)
    for (const one of compared) expect(one).not.toHaveProperty('records')
  }
})

test('answers that are compared are charged to the sandbox until the end', async () => {
  const { memory } = sandbox
  const [before, room] = [memory.held.calls, memory.hasRoomFor]
  const charged: number[] = []
  memory.hasRoomFor = (bytes) => {
    charged.push(memory.held.calls + bytes - before)
    return room.call(memory, bytes)
  }
  await call('reconcile', { params, query: `address=${address}&identity=cash&records=true` })
  expect(charged.length).toBeGreaterThan(3)
  expect(charged.at(-1)).toBeGreaterThan(10_000)
  memory.hasRoomFor = () => false
  const { status, body } = await call('reconcile', { params, query: `address=${address}` })
  memory.hasRoomFor = room
  expect([status, body.error]).toEqual([
    503,
    `sandbox "${sandbox.id}" has no memory for these answers: name one "identity"`,
  ])
  expect(memory.held.calls).toBe(before)
})

test('the sides of an identity are made up in short pieces', () => {
  const facts = sandbox.facts()
  for (const [id, subject, pauses] of [
    ['grouped-depth', 'BTC', 20],
    ['completed-trades', address, 1],
  ] as const) {
    const all: readonly Identity[] = [...ADDRESS_IDENTITIES, ...COIN_IDENTITIES]
    const identity = all.find((one) => one.id === id) as Identity
    const answer = factsAnswerer(facts)
    const asking = identity.compare(subject)
    let count = 0
    let step = asking.next()
    while (!step.done) {
      if (step.value === undefined) count++
      step = asking.next(step.value && runToEnd(answer(step.value)))
    }
    expect([id, count >= pauses]).toEqual([id, true])
  }
})

test('one identity is shown alone, with its records on request', async () => {
  const query = `address=${address}&identity=cash&records=true`
  const { body } = await call('reconcile', { params, query })
  expect(body.identities).toHaveLength(1)
  const [{ id, compared }] = body.identities
  expect(id).toBe('cash')
  const [{ left, right, difference, records }] = compared
  expect([left, difference]).toEqual([right, '0'])
  const { paidIn, closed, fees, funding, unrealised, ...parts } = records
  const total = [paidIn, closed, `-${fees}`.replace('--', ''), funding, unrealised]
  expect(Exact.sum(total.map(Exact.of)).toString()).toBe(left)
  const added = (rows: Record<string, string>[], name: string) =>
    Exact.sum(rows.map((row) => Exact.of(row[name] ?? 'missing'))).toString()
  expect(added(parts.entries, 'paidIn')).toBe(paidIn)
  expect(added(parts.fills, 'closedPnl')).toBe(closed)
  expect(added(parts.fills, 'fee')).toBe(fees)
  expect(added(parts.payments, 'usdc')).toBe(funding)
  expect(added(parts.positions, 'unrealizedPnl')).toBe(unrealised)
})

test('the records of every identity can be written, with numbers as decimal text', async () => {
  const { personas, addresses } = cast()
  const { whale, unified } = personas
  const subjects = [whale, unified].map((one) => `address=${one?.address}`)
  const seen = new Set<string>()
  for (const subject of [...subjects, `address=${addresses.scalper}`, 'coin=BTC']) {
    const { status, body } = await call('reconcile', { params, query: `${subject}&records=true` })
    expect([subject, status, body.holds]).toEqual([subject, 200, true])
    for (const { id, compared } of body.identities)
      for (const { of, records } of compared) {
        seen.add(id)
        expect([id, of, isRecord(records)]).toEqual([id, of, true])
        expect([id, of]).toEqual([id, of.trim() === '' ? 'a name' : of.trim()])
        expect([id, JSON.stringify(records).includes('"units"')]).toEqual([id, false])
      }
  }
  expect(seen).toContain('completed-trades')
  expect(seen.size).toBeGreaterThan(60)
}, 120_000)

test('requests of both sides can be sent, and are answered with what was compared', async () => {
  const query = `address=${address}&identity=funding&records=true`
  const { body } = await call('reconcile', { params, query })
  const [{ compared, requests }] = body.identities
  expect(compared.length).toBeGreaterThan(0)
  const { request } = memoryTransport(registry)
  const answers = requests.map((one: { method: string; path: string; body: object }) => {
    const sent = request(one.method, `${one.path}?${signed()}`, JSON.stringify(one.body))
    expect(sent.status).toBe(200)
    return JSON.parse(sent.body).data
  })
  const states = answers.filter((data: object) => data && 'assetPositions' in data)
  const payments = answers.filter((data: unknown) => Array.isArray(data) && data[0]?.delta).flat()
  const positions = states.flatMap(
    ({ assetPositions }: { assetPositions: object[] }) => assetPositions,
  )
  expect(positions).toHaveLength(compared.length)
  for (const { of, left } of compared) {
    const own = new Map<string, number>()
    for (const { time, hash, delta } of payments)
      if (delta.coin === of) own.set(`${time} ${hash}`, Number(delta.usdc))
    expect([...own.values()].reduce((sum, usdc) => sum + usdc, 0)).toBeCloseTo(Number(left), 5)
  }
})

test('a request of a socket and one with a query are written as they are sent', async () => {
  const query = 'coin=BTC&identity=best-prices&records=true'
  const { body } = await call('reconcile', { params, query })
  const [{ requests }] = body.identities
  expect(requests).toContainEqual({
    method: 'subscribe',
    path: '/api/upgrade/v2/hl/ws',
    body: { type: 'bbo', coin: 'BTC' },
  })
  expect(requests[0]).toEqual({
    method: 'POST',
    path: '/api/upgrade/v2/hl/info',
    body: { type: 'l2Book', coin: 'BTC' },
  })
  const trades = 'coin=BTC&identity=trade-in-candle&records=true'
  const { body: other } = await call('reconcile', { params, query: trades })
  expect(other.identities[0].requests[0].path).toBe(
    '/api/upgrade/v2/hl/fills/top-trades?coin=BTC&interval=1d&limit=10',
  )
})

test('a difference that is allowed is shown beside it', async () => {
  const query = `address=${address}&identity=wealth`
  const { body } = await call('reconcile', { params, query })
  const [{ compared, requests }] = body.identities
  expect(requests).toBeUndefined()
  for (const { difference, within } of compared)
    expect(Math.abs(Number(difference))).toBeLessThanOrEqual(Number(within))
  expect(Number(compared[0].within)).toBe(0.000004)
})

test('an address without anything agrees with itself', async () => {
  const { body } = await call('reconcile', { params, query: `address=0x${'0'.repeat(40)}` })
  expect(body.holds).toBe(true)
})

test('a wrong subject or identity is refused with what would be right', async () => {
  const wrong = {
    '': 'state either "address" or "coin"',
    [`address=${address}&coin=BTC`]: 'state either "address" or "coin"',
    'coin=NONE': 'there is no coin "NONE"',
    'coin=BTC&identity=cash': 'the identity "cash" is of addresses',
    [`address=${address}&identity=depth`]: 'the identity "depth" is of coins',
    'address=0x12': 'address',
    'coin=BTC&identity=all': 'identity',
  }
  for (const [query, text] of Object.entries(wrong)) {
    const refused = await call('reconcile', { params, query }).catch((error) => error)
    expect(String(refused.body?.error ?? refused.message)).toContain(text)
  }
})
