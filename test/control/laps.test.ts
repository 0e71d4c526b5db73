/** A looping tape: each lap has ids of its own. */
import { expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'

const LAPS = 2
/** Shorter than the idle rule allows. */
const STEP_MS = 50_000

/** Slices of TWAPs have no transaction of their own. */
const NO_TRANSACTION = /^0x0+$/

interface Fill {
  tid: number
  oid: number
  hash: string
  time: number
}

/** The ids shown in a lap. */
interface Lap {
  oids: { open: number[]; filled: number[]; cancelled: number[] }
  twapIds: number[]
  newsIds: number[]
  fills: Fill[]
  trades: Fill[]
}

test('no id of a lap occurs in another, and each is found in its own', async () => {
  const { registry, sandbox } = await recordedRegistry({ end: 'loop', epoch: 'tape' })
  const { connect, request } = memoryTransport(registry)
  const control = controlCaller(registry)
  const ask = async (id: string, of: object = {}) =>
    (await control(id, { params: { id: 'default' }, ...of })).body
  const data = (path: string) =>
    JSON.parse(request('GET', `${PREFIX}${path}?${signed('demo', -1)}`).body).data
  const socket = connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  sendJson(socket, subscribeFrame({ type: 'trades', coin: 'SOL' }))
  const { lapMs } = sandbox.playhead
  const laps: Lap[] = []
  for (let lap = 0; lap < LAPS; lap++) {
    const toMs = (lap + 1) * lapMs - 60_000
    for (let atMs = toMs - (lap === 0 ? toMs : lapMs); atMs < toMs; atMs += STEP_MS) {
      await ask('clock.advance', { body: { ms: Math.min(STEP_MS, toMs - atMs) } })
      sendJson(socket, { method: 'ping' })
    }
    const { oids, twapIds, newsIds, personas } = await ask('cast')
    const order = data(`/orders/oid/${oids.filled[0]}`)
    expect(Number(order.oid)).toBe(oids.filled[0])
    const fills: Fill[] = data(`/fills/${personas.busiest.address}`)
    const [fill] = fills
    expect(data(`/fills/oid/${fill?.oid}`)).toContainEqual(fill)
    const trades = socket.frames.splice(0).flatMap((frame) => {
      const { channel, data } = JSON.parse(frame)
      return channel === 'trades' ? data : []
    }) as Fill[]
    laps.push({ oids, twapIds, newsIds, fills, trades })
  }
  const [first] = laps
  expect(data(`/orders/oid/${first?.oids.filled[0]}`)).toBeNull()
  const all = <T>(of: (lap: Lap) => T[]) => laps.flatMap(of)
  // The trades of one order have the hash of one transaction.
  const hashes = all(({ trades }) => [...new Set(trades.map(({ hash }) => hash))])
  for (const [ids, least] of [
    [all(({ trades }) => trades.map(({ tid }) => tid)), 2000],
    [hashes.filter((hash) => !NO_TRANSACTION.test(hash)), 1000],
    [all(({ fills }) => fills.map(({ tid }) => tid)), 200],
    [all(({ oids }) => [...oids.open, ...oids.filled, ...oids.cancelled]), 50],
    [all(({ twapIds }) => twapIds), 10],
    [all(({ newsIds }) => newsIds), 10],
  ] as [unknown[], number][]) {
    expect(ids.length).toBeGreaterThan(least)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  }
  const entries = [...sandbox.journal.after(0)].map((entry) => JSON.stringify(entry))
  expect(entries.filter((text) => text.includes('"lap"'))).toHaveLength(LAPS - 1)
  registry.close()
})
