/** Client frames and their replies. */

import { someCoin, someOpenPosition, someTraders } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import { isPong, type ProbeSocket, type SocketFrame } from '../../probe-socket.ts'
import type { Observers } from '../../requirement.ts'
import { assertSame } from '../../responses.ts'
import { levelWith, withSubKeyLevel } from '../distributor/levels.ts'
import { NODE, open, subscribe, USER_PATHS, unsubscribe, untilPong } from './subscriptions.ts'

/** Heartbeats, invalid frames, and invalid subscriptions. */
export const FRAME_CASES: readonly Case[] = [
  {
    id: 'sockets.frames.ping',
    title: 'a ping on /ws is answered {"channel":"pong"}',
    checks: ['event.ping'],
    run: async (probe: Probe) => {
      const socket = await open(probe)
      socket.sendJson({ method: 'ping' })
      const frame = await socket.next()
      assertSame(probe, frame?.channel, 'pong', 'the reply is on the channel pong')
      probe.judges(frame)
      socket.sendJson(unsubscribe({ type: 'bbo', coin: await someCoin(probe) }))
      await judgeNext(probe, socket, NODE)
    },
  },
  {
    id: 'sockets.frames.ping.user',
    title: 'a ping on a user channel is answered {"type":"pong"}',
    checks: ['event.ping.user'],
    run: async (probe: Probe) => {
      for (const path of USER_PATHS) {
        const socket = await open(probe, path)
        socket.sendJson({ type: 'ping' })
        const frame = await socket.next()
        assertSame(probe, frame?.type, 'pong', `the reply on ${path} is of type pong`)
        probe.judges(frame)
        socket.sendJson({ type: 'stat' })
        await judgeNext(probe, socket, path)
      }
    },
  },
  {
    id: 'sockets.frames.unsupported',
    title: 'allMids and orderUpdates cannot be subscribed to',
    checks: ['channel.allMids', 'channel.orderUpdates'],
    run: async (probe: Probe) => {
      const user = '0x000000000000000000000000000000000000dead'
      for (const subscription of [{ type: 'allMids' }, { type: 'orderUpdates', user }]) {
        const socket = await open(probe)
        socket.sendJson(subscribe(subscription))
        const frames = await untilPong(socket)
        const pushed = frames.filter(({ channel }) => channel === subscription.type)
        assertSame(probe, pushed, [], `${subscription.type} pushes nothing`)
        const acked = frames.filter(({ channel }) => channel === 'subscriptionResponse')
        const subscribed = acked.filter(({ data }) => JSON.stringify(data).includes('"subscribed"'))
        probe.assert(
          subscribed.length === 0,
          `${subscription.type} is not acknowledged as subscribed`,
          subscribed[0],
        )
        const isRefused = frames.length > acked.length || socket.closeCode !== null
        probe.assert(isRefused, `${subscription.type} is refused with a frame of its own`, frames)
      }
    },
  },
  {
    id: 'sockets.frames.nonsense',
    title: 'an invalid frame affects neither the connection nor its subscriptions',
    checks: ['socket.ws', 'socket.fills'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      for (const path of [NODE, '/hl/ws/fills']) {
        const socket = await open(probe, path)
        for (const [name, frame] of Object.entries(nonsense(coin))) {
          socket.send(frame)
          await survives(probe, socket, `${name} on ${path}`, path === NODE)
        }
      }
    },
  },
  {
    id: 'sockets.frames.large',
    title: 'a frame of a megabyte is refused or closes the connection, and stops nothing else',
    checks: ['socket.ws'],
    run: async (probe: Probe) => {
      const witness = await open(probe)
      const socket = await open(probe)
      socket.send(JSON.stringify({ method: 'ping', filling: 'x'.repeat(1_048_576) }))
      // Either closed or answered.
      await socket.next()
      await survives(probe, witness, 'a large frame on another connection', true)
    },
  },
]

/** After the reply to a ping comes that to the next command, on a connection that is still open. */
async function judgeNext(probe: Probe, socket: ProbeSocket, path: string): Promise<void> {
  const frame = await socket.next()
  probe.assert(frame && !isPong(frame), `a ping on ${path} is answered once`, frame)
  assertSame(probe, socket.closeCode, null, `${path} is open after a ping`)
}

const nonsense = (coin: string): Record<string, string | Uint8Array> => ({
  'text that is no JSON': 'hello',
  'half a frame': '{"method":"subscribe","subscription":{"type":"l2',
  'an empty frame': '',
  'a list': '[1,2,3]',
  'a number': '7',
  null: 'null',
  'an unknown method': '{"method":"dance","type":"dance"}',
  'no subscription': '{"method":"subscribe","type":"subscribe"}',
  'an unknown channel': '{"method":"subscribe","subscription":{"type":"nosuch"}}',
  'an unknown coin': '{"method":"subscribe","subscription":{"type":"l2Book","coin":"NO-SUCH"}}',
  'a wrong interval': JSON.stringify(subscribe({ type: 'candle', coin, interval: '7m' })),
  'a coin that is no text': '{"method":"subscribe","subscription":{"type":"bbo","coin":{}}}',
  'addresses that are none': '{"type":"subscribe","address":["0x12",7,null]}',
  bytes: new Uint8Array([0, 255, 1, 254]),
})

async function survives(probe: Probe, socket: ProbeSocket, what: string, isNode: boolean) {
  const frames = await untilPong(socket, isNode)
  assertSame(probe, socket.closeCode, null, `${what} leaves the connection open`)
  const taken = frames.filter(({ data }) => JSON.stringify(data ?? '').includes('"subscribed"'))
  assertSame(probe, taken, [], `${what} makes no subscription`)
}

/** The frames that follow these commands. */
async function after(probe: Probe, path: string, ...commands: object[]): Promise<SocketFrame[]> {
  const socket = await probe.connect({ path })
  for (const frame of commands) socket.sendJson(frame)
  const frames: SocketFrame[] = []
  for (let count = 0; count < 20; count++) {
    const frame = await socket.next(Math.min(1_000, probe.target.patienceMs))
    if (frame === null) break
    frames.push(frame)
  }
  return frames
}

const subscribing = (subscription: object) => ({ method: 'subscribe', subscription })

/** Observers of the open questions about sockets and channels. */
export const SOCKET_OBSERVERS: Observers = {
  'user-pong': async (probe) => {
    const [pong] = await after(probe, '/hl/ws/fills', { type: 'ping' })
    return pong?.type === 'pong' ? 'type' : pong?.channel === 'pong' ? 'channel' : null
  },
  'trades-snapshot': async (probe) => {
    const coin = await someCoin(probe)
    const frames = await after(probe, '/hl/ws', subscribing({ type: 'trades', coin }))
    const first = frames.find(({ channel }) => channel === 'trades')
    return Array.isArray(first?.data) && first.data.length > 1 ? 'recent' : 'none'
  },
  'account-state-first': async (probe) => {
    const { address } = await someOpenPosition(probe)
    const commands = { type: 'subscribe', address: [address] }
    const frames = await after(probe, '/hl/ws/clearinghouse-state', commands)
    return frames.some((frame) => 'data' in frame) ? 'push' : 'wait'
  },
  'address-channel-second-user': async (probe) => {
    const [one, two] = await someTraders(probe)
    if (one === undefined || two === undefined) return null
    const subscriptions = [one, two, one].map((user) => subscribing({ type: 'openOrders', user }))
    const frames = await after(probe, '/hl/ws', ...subscriptions)
    const pushes = frames.filter(({ channel }) => channel === 'openOrders')
    // A continued subscription gets no new snapshot.
    return pushes.length >= 3 ? 'replace' : 'both'
  },
  'revoked-sockets': (probe: Probe) =>
    withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_WS_NODE']))
      const socket = await probe.connect({ path: '/hl/ws', signedBy: 'sub' })
      await put(levelWith(['HL_TICKERS']))
      return (await socket.closed(1_000)) === null ? 'kept' : 'closed'
    }),
}
