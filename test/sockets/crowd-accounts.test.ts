/** Events of crowd accounts are pushed, and agree with the answers about them. */
import { afterAll, expect, test } from 'bun:test'
import { isOfCrowd } from '../../src/market/world/crowd-address.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, receivedFrames, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { marketOf } from '../fixtures/requested-market.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const line = await smallLine()
afterAll(line.remove)
const COINS = ['BTC', 'SOL']
/** From within the tape to the grown market after it. */
const [FROM_MS, STEPS, STEP_MS] = [line.tapeEndMs - 90_000, 6, 20_000]

interface Fill {
  tid: number
  time: number
  oid: number
}

/** A sandbox on the line, and sockets to it. */
async function market(options: SandboxOptions = {}) {
  const made = await lineRegistry(line, { epoch: 'tape', at: FROM_MS, ...options })
  const { registry, sandbox } = made
  const { ask } = marketOf({ ...made, cast: () => ({}) } as never)
  const sockets: MemorySocket[] = []
  const connect = (path: string, ...frames: object[]) => {
    const url = `${PREFIX}${path}?${signed('demo', -1)}`
    const socket = memoryTransport(registry).connect(url) as MemorySocket
    for (const frame of frames) sendJson(socket, frame)
    sockets.push(socket)
    return socket
  }
  const advance = async (steps: number, stepMs: number) => {
    for (let step = 0; step < steps; step++) {
      await sandbox.clock.advance(stepMs)
      for (const socket of sockets) sendJson(socket, { method: 'ping' })
    }
  }
  return { registry, ask, connect, advance, clock: sandbox.clock }
}

/** Accounts of the crowd that trade in that time, by number of trades. */
async function busiest(): Promise<string[]> {
  const { registry, connect, advance } = await market()
  const socket = connect('/ws', ...COINS.map((coin) => subscribeFrame({ type: 'trades', coin })))
  await advance(STEPS, STEP_MS)
  const counts = new Map<string, number>()
  for (const { channel, data } of receivedFrames(socket))
    if (channel === 'trades')
      for (const { users, time } of data as { users: string[]; time: number }[])
        for (const user of users)
          if (time > FROM_MS && isOfCrowd(user)) counts.set(user, (counts.get(user) ?? 0) + 1)
  registry.close()
  return [...counts].sort((a, b) => b[1] - a[1]).map(([address]) => address)
}

const addresses = (await busiest()).slice(0, 40)

/** The pushes of some accounts on the channels of accounts. */
async function pushedOf(steps: number, stepMs: number) {
  const { registry, ask, connect, advance } = await market()
  const fills = connect('/ws/fills', { type: 'subscribe', address: addresses })
  const orders = connect('/ws/filled-orders', { type: 'subscribe', address: addresses })
  const [user] = addresses as [string]
  const own = connect('/ws', ...OF_USER.map((type) => subscribeFrame({ type, user })))
  await advance(steps, stepMs)
  const answered = (address: string) =>
    (
      ask('POST', '/hl/info', {
        body: { type: 'userFillsByTime', user: address, startTime: FROM_MS + 1 },
      }) as Fill[]
    ).map(({ tid }) => tid)
  const pushed = {
    fills: dataOf(fills),
    orders: dataOf(orders),
    own: receivedFrames(own).filter(({ channel }) => OF_USER.includes(channel)),
    answered: new Map(addresses.map((address) => [address, answered(address)])),
  }
  registry.close()
  return pushed
}

const OF_USER = ['userFills', 'userNonFundingLedgerUpdates', 'openOrders', 'clearinghouseState']

const dataOf = (socket: MemorySocket) =>
  receivedFrames(socket).flatMap(({ type, data }) => (type === 'data' ? [data] : [])) as (Fill & {
    address: string
  })[]

test('every fill of an account was pushed, once and in order', async () => {
  const { fills, orders, own, answered } = await pushedOf(STEPS, STEP_MS)
  expect(fills.length).toBeGreaterThan(addresses.length)
  for (const address of addresses) {
    const tids = fills.filter((one) => one.address === address).map(({ tid }) => tid)
    expect(tids).toEqual(answered.get(address) as number[])
  }
  const times = fills.map(({ time }) => time)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times.some((time) => time < line.tapeEndMs)).toBe(true)
  expect(times.some((time) => time > line.tapeEndMs)).toBe(true)
  expect(new Set(orders.map(({ oid }) => oid))).toEqual(new Set(fills.map(({ oid }) => oid)))
  const live = own.filter(({ channel, data }) => channel === 'userFills' && !data.isSnapshot)
  const [user] = addresses as [string]
  expect(live.flatMap(({ data }) => data.fills.map(({ tid }: Fill) => tid))).toEqual(
    answered.get(user) as number[],
  )
  const states = own.filter(({ channel }) => channel === 'clearinghouseState')
  expect(states.length).toBeGreaterThan(1)
})

test('the frames do not depend on the size of the steps', async () => {
  const [one, other] = [await pushedOf(STEPS, STEP_MS), await pushedOf(4 * STEPS, STEP_MS / 4)]
  expect(other.fills).toEqual(one.fills)
  expect(other.orders).toEqual(one.orders)
})

test('a subscriber between two trades receives the second', async () => {
  const whole = await pushedOf(STEPS, STEP_MS)
  const [user] = addresses as [string]
  const times = whole.fills.filter(({ address }) => address === user).map(({ time }) => time)
  const joinMs = times[Math.floor(times.length / 2)] as number
  const { registry, connect, advance, clock } = await market()
  const other = connect('/ws', subscribeFrame({ type: 'trades', coin: 'BTC' }))
  await clock.advance(joinMs - FROM_MS)
  const late = connect('/ws/fills', { type: 'subscribe', address: [user] })
  await advance(1, FROM_MS + STEPS * STEP_MS - joinMs)
  const after = whole.fills.filter(({ address, time }) => address === user && time > joinMs)
  expect(dataOf(late)).toEqual(after)
  expect(other.frames.length).toBeGreaterThan(0)
  registry.close()
})
