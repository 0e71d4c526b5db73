/**
 * Minutes on many sockets, and the same over REST before and after: judged by the rules over the
 * whole run (`src/conformance/ledger/rules.ts`).
 */

import { OPERATIONS } from '../../../contract/catalogue.ts'
import { firstExampleRequest } from '../../derived/tested-operation.ts'
import { busyTraders, someCoins, someTraders } from '../../example-filler.ts'
import { HISTORIES } from '../../ledger/rules/immutable-past.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { isJsonObject } from '../../responses.ts'
import { acknowledged, NODE, open, subscribe, USER_PATHS, untilPong } from './subscriptions.ts'

export const MINUTE_CASES: readonly Case[] = [
  {
    id: 'sockets.minutes.together',
    title: 'for minutes every channel is pushed beside the others, and REST says the same',
    checks: ['channel.many', 'state.addresses.added'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coins = (await someCoins(probe)).slice(0, COINS)
      const traders = (await someTraders(probe)).slice(0, ADDRESSES)
      const busy = (await busyTraders(probe)).slice(0, USERS)
      const read = () => pastOf(probe, coins, busy)
      await read()
      const sockets = await followed(probe, coins, traders, busy)
      const users = new Set<string>()
      let pushes = 0
      const listen = async () => {
        for (const socket of sockets.node)
          note(await untilPong(socket), users, (n) => (pushes += n))
        for (const socket of sockets.addresses) pushes += (await untilPong(socket, false)).length
      }
      await listen()
      pushes = 0
      await probe.listenUntil(() => false, listen, { spanMs: SPAN_MS, spans: SPANS })
      if (pushes === 0) probe.skip('nothing happens to any coin or account')
      // Twice at one instant.
      await read()
      await read()
      for (const user of [...users].slice(0, USERS)) await fillsOf(probe, user)
    },
  },
]

/** Numbers of coins, of followed addresses, and of accounts whose histories are read. */
const [COINS, ADDRESSES, USERS, FILLS] = [2, 50, 4, 200]
/** Number of latest traders whose fills are followed one by one. */
const FILLED = 4
/** Long enough for some candles to close, ms. */
const [SPAN_MS, SPANS] = [15_000, 6]

/** Sockets that follow the same coins and accounts in different ways. */
async function followed(probe: Probe, coins: string[], traders: string[], busy: string[]) {
  const node: ProbeSocket[] = []
  const coinSocket = await open(probe)
  for (const coin of coins)
    for (const subscription of [
      { type: 'trades', coin },
      { type: 'bbo', coin },
      { type: 'l2Book', coin },
      { type: 'candle', coin, interval: '1m' },
      { type: 'candle', coin, interval: '1s' },
    ])
      await acknowledged(coinSocket, subscribe(subscription))
  const second = await open(probe)
  await acknowledged(second, subscribe({ type: 'trades', coin: coins[0] }))
  await acknowledged(second, subscribe({ type: 'l2Book', coin: coins[0], nSigFigs: 4 }))
  node.push(coinSocket, second)
  // Who has traded last is likely to trade next; who holds most may not for minutes.
  for (const user of new Set([...busy.slice(0, 1), ...traders.slice(0, FILLED)])) {
    const socket = await open(probe, NODE)
    for (const type of ['userFills', 'userNonFundingLedgerUpdates'])
      await acknowledged(socket, subscribe({ type, user }))
    node.push(socket)
  }
  const addresses: ProbeSocket[] = []
  const followers = [...new Set([...busy, ...traders])]
  const [fills = '', orders = ''] = USER_PATHS
  const spelled = followers.map((address) => `0x${address.slice(2).toUpperCase()}`)
  for (const [path, address] of [
    [fills, followers],
    [fills, spelled],
    [orders, followers],
  ] as const) {
    const socket = await open(probe, path)
    socket.sendJson({ type: 'subscribe', address })
    addresses.push(socket)
  }
  return { node, addresses }
}

/** Counts pushes, and notes both sides of the trades. */
function note(frames: SocketFrame[], users: Set<string>, count: (pushes: number) => void): void {
  count(frames.length)
  for (const { channel, data } of frames)
    if (channel === 'trades' && Array.isArray(data))
      for (const trade of data)
        if (isJsonObject(trade) && Array.isArray(trade.users))
          for (const user of trade.users) users.add(String(user))
}

/** Reads what has a past: each history, and candles, curves, fills and orders. */
async function pastOf(probe: Probe, coins: string[], busy: string[]): Promise<void> {
  for (const operation of OPERATIONS)
    if (HISTORIES.has(operation.id))
      await probe.request(await firstExampleRequest(probe, operation))
  for (const coin of coins) {
    await probe.request({ path: `/hl/klines-with-taker-vol/${coin}/1m`, query: { limit: 30 } })
    await probe.request({ path: `/hl/klines-with-taker-vol/${coin}/1s`, query: { limit: 120 } })
    const req = { coin, interval: '1m', startTime: 0 }
    await probe.request({ method: 'POST', path: '/hl/info', body: { type: 'candleSnapshot', req } })
  }
  for (const address of busy) {
    await fillsOf(probe, address)
    await probe.request({ path: `/hl/orders/${address}/latest`, query: { limit: FILLS } })
    await probe.request({ path: `/hl/portfolio/${address}/day` })
    await probe.request({ path: `/hl/traders/${address}/completed-trades` })
  }
}

/** Reads the fills of an account in both forms. */
async function fillsOf(probe: Probe, user: string): Promise<void> {
  await probe.request({ path: `/hl/fills/${user}`, query: { limit: FILLS } })
  await probe.request({ method: 'POST', path: '/hl/info', body: { type: 'userFills', user } })
}
