import { levelWith } from '../../cases/distributor/level-requests.ts'
import type { Probe } from '../../probe.ts'
import type { SocketFrame } from '../../probe-socket.ts'
import { someCoin, someOpenPosition, someTraders } from '../../target-lookups.ts'
import { withSubKeyLevel } from '../level-changes.ts'
import type { Observers } from '../observer.ts'

/** The frames that follow what is commands. */
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

const subscribe = (subscription: object) => ({ method: 'subscribe', subscription })

export const SOCKET_OBSERVERS: Observers = {
  'user-pong': async (probe) => {
    const [pong] = await after(probe, '/hl/ws/fills', { type: 'ping' })
    return pong?.type === 'pong' ? 'type' : pong?.channel === 'pong' ? 'channel' : null
  },
  'trades-snapshot': async (probe) => {
    const coin = await someCoin(probe)
    const frames = await after(probe, '/hl/ws', subscribe({ type: 'trades', coin }))
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
    const subscriptions = [one, two, one].map((user) => subscribe({ type: 'openOrders', user }))
    const frames = await after(probe, '/hl/ws', ...subscriptions)
    const pushes = frames.filter(({ channel }) => channel === 'openOrders')
    // Who is still followed is not greeted again.
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
