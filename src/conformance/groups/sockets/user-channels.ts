/** Channels that are keyed by an address. */

import { someTraders, UNUSED_ADDRESS } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import {
  assertSame,
  isJsonObject,
  type JsonObject,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'
import {
  acknowledged,
  frameData,
  open,
  pushed,
  subscribe,
  USER_PATHS,
  unsubscribe,
  untilPong,
} from './subscriptions.ts'

/** Channels of `/ws` that are keyed by an address (the service's documentation, Events). */
export const USER_CASES: readonly Case[] = [
  {
    id: 'sockets.users.ack',
    title: 'an address-keyed channel is acknowledged without status and activeCount',
    checks: ['event.ack.coinOnly', 'event.ack.echo'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      for (const type of KEYED) {
        const socket = await open(probe)
        for (const command of [subscribe({ type, user }), unsubscribe({ type, user })]) {
          const ack = await acknowledged(socket, command)
          const wrong = ['status', 'activeCount'].filter((name) => name in ack)
          assertSame(probe, wrong, [], `the answer of ${type} has no ${wrong.join(', ')}`)
          const echoed = isJsonObject(ack.subscription) ? ack.subscription : {}
          const isEchoed = echoed.type === type && String(echoed.user).toLowerCase() === user
          probe.assert(ack.method === command.method && isEchoed, `${type} is echoed`, ack)
        }
      }
    },
  },
  {
    id: 'sockets.users.snapshot',
    title: 'an address-keyed channel pushes its snapshot first, of the requested user',
    checks: ['event.snapshot'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      for (const type of KEYED) {
        const socket = await open(probe)
        await acknowledged(socket, subscribe({ type, user }))
        const frame = await socket.next()
        probe.assert(frame?.channel === type, `the first push is of ${type}`, frame ?? 'nothing')
        const data = frameData(frame)
        probe.assert(String(data.user).toLowerCase() === user, 'it is of the user', data.user)
        if (type === 'userFills' || type === 'userNonFundingLedgerUpdates')
          assertSame(probe, data.isSnapshot, true, 'it says that it is a snapshot')
      }
    },
  },
  {
    id: 'sockets.users.agree',
    title: 'the state pushed on a socket is the state in the batch',
    checks: ['channel.clearinghouseState'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'clearinghouseState', user }))
      const frame = await pushed(socket, 'clearinghouseState', 'a state is pushed')
      const state = frameData(frame).clearinghouseState
      const request = { method: 'POST', path: '/hl/traders/clearinghouse-state' } as const
      const [row] = await objectsOf(probe, { ...request, body: { addresses: [user] } })
      const coins = (of: unknown) =>
        isJsonObject(of) && Array.isArray(of.assetPositions) ? of.assetPositions.length : null
      const [here, there] = [coins(state), coins(row?.state)]
      probe.assert(here !== null && there !== null, 'both have assetPositions', { state, row })
      probe.assert(Math.abs(here - there) <= 1, 'both have as many positions', { here, there })
    },
  },
]

const KEYED = ['userFills', 'userNonFundingLedgerUpdates', 'clearinghouseState', 'openOrders']

/**
 * The three sockets of many addresses (the service's documentation, User-channel messages; States).
 */
export const ADDRESS_CASES: readonly Case[] = [
  {
    id: 'sockets.addresses.reply',
    title: 'subscribe and unsubscribe are answered with their type alone',
    checks: [
      ...['channel.addresses.reply', 'socket.fills', 'socket.filledOrders', 'socket.states'],
    ],
    run: async (probe: Probe) => {
      const address = (await someTraders(probe)).slice(0, 2)
      for (const path of USER_PATHS) {
        const socket = await open(probe, path)
        for (const type of ['subscribe', 'unsubscribe']) {
          const [frame] = await replies(socket, { type, address }, type)
          const isBare = frame !== undefined && Object.keys(frame).join() === 'type'
          probe.assert(isBare, `${type} on ${path} is answered {"type":"${type}"}`, frame)
        }
      }
    },
  },
  {
    id: 'sockets.addresses.additive',
    title: 'addresses add up, repeats count once, and with none left the connection stays',
    checks: ['state.addresses.added', 'state.addresses.removed', 'channel.addresses.additive'],
    run: async (probe: Probe) => {
      const [one = UNUSED_ADDRESS, two = OTHER] = await someTraders(probe)
      for (const path of USER_PATHS) {
        const socket = await open(probe, path)
        const steps: [type: string, address: string[], count: number][] = [
          ['subscribe', [one], 1],
          ['subscribe', [two], 2],
          ['subscribe', [one, two, one], 2],
          ['subscribe', [one.toUpperCase().replace('0X', '0x')], 2],
          ['unsubscribe', [UNUSED_ADDRESS], 2],
          ['unsubscribe', [one], 1],
          ['unsubscribe', [one, two], 0],
          ['subscribe', [two], 1],
          ['unsubscribe', [two], 0],
          ['subscribe', [one, two], 2],
        ]
        for (const [type, address, count] of steps) {
          socket.sendJson({ type, address })
          const { addressCount } = await stat(probe, socket)
          const message = `after ${type} of ${address.length} there are ${count} on ${path}`
          probe.assert(addressCount === count, message, { address, addressCount })
        }
      }
    },
  },
  {
    id: 'sockets.addresses.stat',
    title: 'stat returns six counters of the connection, in their types',
    checks: ['channel.addresses.stat'],
    run: async (probe: Probe) => {
      for (const path of USER_PATHS) {
        const socket = await open(probe, path)
        const first = await stat(probe, socket)
        for (const [name, type] of Object.entries(COUNTERS))
          probe.assert(typeof first[name] === type, `${name} of stat is a ${type}`, first)
        assertSame(probe, first.addressCount, 0, 'addressCount is 0 at first')
        socket.sendJson({ type: 'subscribe', address: [UNUSED_ADDRESS] })
        const later = await stat(probe, socket)
        const [before, after] = [Number(first.sentMsgCount), Number(later.sentMsgCount)]
        probe.assert(after > before, 'sentMsgCount counts what is sent', { before, after })
      }
    },
  },
  {
    id: 'sockets.addresses.close',
    title: 'close closes the connection without a reply',
    checks: ['state.connection.close', 'channel.addresses.close'],
    run: async (probe: Probe) => {
      for (const path of USER_PATHS) {
        const socket = await open(probe, path)
        await untilPong(socket, false)
        socket.sendJson({ type: 'close' })
        const said = await socket.untilClosed()
        probe.assert(socket.closeCode !== null, `close on ${path} closes the connection`)
        probe.judges(['closed'])
        assertSame(probe, said, [], `close on ${path} gets no reply`)
      }
    },
  },
  {
    id: 'sockets.addresses.states',
    title: 'a pushed account state names its channel and has address and state',
    checks: ['event.states', 'record.state.address'],
    run: async (probe: Probe) => {
      const [address = UNUSED_ADDRESS] = await someTraders(probe)
      const frame = await firstState(probe, address, {})
      if (!frame) probe.skip('no state is pushed before it changes')
      const data = isJsonObject(frame.data) ? frame.data : {}
      assertSame(probe, frame.channel, 'clearinghouseState', 'it names its channel')
      probe.assert(String(data.address).toLowerCase() === address, 'it has the address', data)
      const state = isJsonObject(data.state) ? data.state : {}
      for (const name of ['marginSummary', 'crossMarginSummary', 'assetPositions', 'time'])
        probe.assert(name in state, `the state has ${name}`, Object.keys(state))
    },
  },
  {
    id: 'sockets.addresses.dex',
    title: 'the dex of a connection is the main dex when it is left out or empty',
    checks: ['socket.states.dex', 'perpdex.state.dex'],
    run: async (probe: Probe) => {
      const [address = UNUSED_ADDRESS] = await someTraders(probe)
      // Positions may close between two reads in a fast market.
      await retryUntilHeld(probe, async () => {
        const usual = await firstState(probe, address, {})
        const empty = await firstState(probe, address, { dex: '' })
        if (!usual || !empty) probe.skip('no state is pushed before it changes')
        const coins = [usual, empty].map((frame) => heldCoins(frame))
        const prefixed = coins.flat().filter((coin) => coin.includes(':'))
        assertSame(probe, prefixed, [], 'no position is of a builder dex')
        return coins[0]?.join() === coins[1]?.join() ? null : `both are of the main dex: ${coins}`
      })
    },
  },
]

const OTHER = '0x000000000000000000000000000000000000beef'

const COUNTERS = {
  addressCount: 'number',
  duration: 'string',
  sentMsgCount: 'number',
  msgPerSecond: 'number',
  discardedCount: 'number',
  queueLen: 'number',
}

/** Replies of a type to a frame. */
async function replies(
  socket: ProbeSocket,
  frame: JsonObject,
  type: string,
): Promise<SocketFrame[]> {
  socket.sendJson(frame)
  return (await untilPong(socket, false)).filter((frame) => frame.type === type)
}

async function stat(probe: Probe, socket: ProbeSocket): Promise<JsonObject> {
  socket.sendJson({ type: 'stat' })
  const frame = await socket.waitFor(({ type }) => type === 'stat', 'stat is answered')
  probe.assert(isJsonObject(frame.data), 'stat has data', frame)
  return frame.data
}

/** The first state pushed for an address; null for none. */
async function firstState(probe: Probe, address: string, query: Record<string, string>) {
  const socket = await open(probe, '/hl/ws/clearinghouse-state', { query })
  socket.sendJson({ type: 'subscribe', address: [address] })
  const frames = await untilPong(socket, false)
  return frames.find(({ type }) => type !== 'subscribe') ?? null
}

function heldCoins(frame: SocketFrame): string[] {
  const state = isJsonObject(frame.data) && isJsonObject(frame.data.state) ? frame.data.state : {}
  const held = Array.isArray(state.assetPositions) ? state.assetPositions : []
  return held.map((one) =>
    String(isJsonObject(one) && isJsonObject(one.position) ? one.position.coin : ''),
  )
}
