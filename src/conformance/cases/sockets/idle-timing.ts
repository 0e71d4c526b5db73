import { assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket } from '../../probe-socket.ts'
import { someCoin } from '../../target-lookups.ts'
import { acknowledged, NODE, open, subscribe, USER_PATHS, untilPong } from './socket-dialogue.ts'

/** How long an idle connection stays open (the service's documentation, Limits). */
export const IDLE_CASES: readonly Case[] = [
  {
    id: 'sockets.timing.idle',
    title: 'a connection without a message from its client for 60 s is closed, with 1006 or 1000',
    checks: ['state.connection.idle', 'limit.idle.all', 'error.idle'],
    passesTime: true,
    run: async (probe: Probe) => {
      // Where it cannot be held, time goes on while a busy machine opens them and looks at them.
      const openMs = (await probe.holdTime()) ? 59_000 : 50_000
      const all = await onAll(probe)
      await probe.letTimePass(openMs)
      for (const [path, { closeCode }] of all)
        assertSame(probe, closeCode, null, `${path} is open after ${openMs / 1000} s`)
      await probe.letTimePass(61_000 - openMs)
      for (const [path, socket] of all) {
        const code = await socket.closed()
        probe.assert(code === 1006 || code === 1000, `${path} is closed after 61 s`, code)
      }
    },
  },
  {
    id: 'sockets.timing.pushes',
    title: 'what the server pushes does not keep a connection',
    checks: ['limit.idle'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'l2Book', coin }))
      await probe.letTimePass(40_000)
      probe.assert((await socket.next()) !== null, 'books are pushed meanwhile')
      await probe.letTimePass(21_000)
      probe.assert((await socket.closed()) !== null, 'it is closed 60 s after the last message')
    },
  },
  {
    id: 'sockets.timing.protocol-pings',
    title: 'a ping of the WebSocket protocol does not keep a connection',
    checks: ['limit.idle.protocol'],
    passesTime: true,
    run: async (probe: Probe) => {
      const socket = await open(probe)
      await untilPong(socket)
      for (let pings = 0; pings < 3; pings++) {
        await probe.letTimePass(20_500)
        if (socket.closeCode === null) socket.ping()
      }
      probe.assert((await socket.closed()) !== null, 'it is closed 60 s after the last message')
    },
  },
  {
    id: 'sockets.timing.heartbeat',
    title: 'a heartbeat each 30 s keeps a connection, on every path',
    checks: ['limit.heartbeat'],
    passesTime: true,
    run: async (probe: Probe) => {
      const all = await onAll(probe)
      for (let beats = 0; beats < 3; beats++) {
        await probe.letTimePass(30_000)
        for (const [path, socket] of all) await untilPong(socket, path === NODE)
      }
      for (const [path, socket] of all)
        assertSame(probe, socket.closeCode, null, `${path} is open after a minute and a half`)
      probe.judges(all.map(([path]) => path))
    },
  },
]

/** A connection on every path. */
async function onAll(probe: Probe): Promise<[path: string, socket: ProbeSocket][]> {
  const all: [string, ProbeSocket][] = []
  for (const path of [NODE, ...USER_PATHS]) all.push([path, await open(probe, path)])
  return all
}
