import { assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectsOf } from '../../response-reading.ts'
import { someTraders, UNUSED_ADDRESS } from '../../target-lookups.ts'
import { acknowledged, dataIn, open, pushed, subscribe, unsubscribe } from './socket-dialogue.ts'

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
    title: 'an address-keyed channel pushes its snapshot first, of the user that was asked for',
    checks: ['event.snapshot'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      for (const type of KEYED) {
        const socket = await open(probe)
        await acknowledged(socket, subscribe({ type, user }))
        const frame = await socket.next()
        probe.assert(frame?.channel === type, `the first push is of ${type}`, frame ?? 'nothing')
        const data = dataIn(frame)
        probe.assert(String(data.user).toLowerCase() === user, 'it is of the user', data.user)
        if (type === 'userFills' || type === 'userNonFundingLedgerUpdates')
          assertSame(probe, data.isSnapshot, true, 'it says that it is a snapshot')
      }
    },
  },
  {
    id: 'sockets.users.agree',
    title: 'the state that a socket pushes is the state that the batch answers',
    checks: ['channel.clearinghouseState'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'clearinghouseState', user }))
      const frame = await pushed(socket, 'clearinghouseState', 'a state is pushed')
      const state = dataIn(frame).clearinghouseState
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
