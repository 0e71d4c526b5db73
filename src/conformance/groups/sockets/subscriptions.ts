/** Subscription commands and their replies, and the frames of socket cases. */

import { someCoin, someCoins } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import { isPong, type ProbeSocket, type SocketFrame } from '../../probe-socket.ts'
import { assertSame, isJsonObject, isSameJson, type JsonObject } from '../../responses.ts'

// Subscription commands and their replies.

/**
 * Subscriptions to coin channels (the service's documentation, States; Events; Perpetual-DEX
 * WebSocket).
 */
export const SUBSCRIPTION_CASES: readonly Case[] = [
  {
    id: 'sockets.subscriptions.states',
    title: 'a coin channel goes from subscribed to alreadySubscribed, unsubscribed, notSubscribed',
    checks: [
      ...['state.subscription.subscribed', 'state.subscription.already'],
      ...['state.subscription.unsubscribed', 'state.subscription.notSubscribed'],
      ...['event.ack', 'event.ack.status', 'socket.ws', 'channel.duplicate'],
    ],
    run: async (probe: Probe) => {
      for (const subscription of await coinSubscriptions(probe)) {
        const socket = await open(probe)
        const steps = [
          ...[unsubscribe, subscribe, subscribe, unsubscribe, unsubscribe, subscribe],
        ].map((command) => command(subscription))
        const found: unknown[] = []
        for (const step of steps) found.push((await acknowledged(socket, step)).status)
        probe.assert(
          isSameJson(found, STATES),
          `the statuses of ${subscription.type} are right`,
          found,
        )
        await untilPong(socket)
        assertSame(probe, socket.closeCode, null, 'the connection is still open')
      }
    },
  },
  {
    id: 'sockets.subscriptions.echo',
    title: 'a subscription is acknowledged with every field of the request',
    checks: ['event.ack.echo', 'channel.l2Book.nSigFigs'],
    run: async (probe: Probe) => {
      const [first] = await coinSubscriptions(probe)
      const subscriptions = [
        ...(await coinSubscriptions(probe)),
        { ...first, nSigFigs: 3 },
        { ...first, nSigFigs: null },
        { ...first, nSigFigs: 5, mantissa: 2 },
      ]
      for (const subscription of subscriptions) {
        const socket = await open(probe)
        for (const command of [subscribe(subscription), unsubscribe(subscription)]) {
          const { method, subscription: echoed } = await acknowledged(socket, command)
          assertSame(probe, method, command.method, 'method is echoed')
          const isEchoed = Object.entries(subscription).every(([name, value]) =>
            isSameJson((echoed as Record<string, unknown> | undefined)?.[name], value),
          )
          probe.assert(
            isEchoed,
            `${JSON.stringify(subscription)} is echoed field for field`,
            echoed,
          )
        }
      }
    },
  },
  {
    id: 'sockets.subscriptions.active-count',
    title: 'activeCount counts the active subscriptions of the connection on that channel',
    checks: ['event.ack.activeCount', 'channel.many'],
    run: async (probe: Probe) => {
      const socket = await open(probe)
      const other = await open(probe)
      const coins = (await someCoins(probe)).slice(0, 3)
      const books = coins.map((coin) => ({ type: 'l2Book', coin }))
      await acknowledged(other, subscribe({ type: 'l2Book', coin: coins[0] }))
      await acknowledged(socket, subscribe({ type: 'bbo', coin: coins[0] }))
      const counts: unknown[] = []
      const say = async (command: Record<string, unknown>) =>
        counts.push((await acknowledged(socket, command)).activeCount)
      for (const book of books) await say(subscribe(book))
      await say(subscribe(books[0] ?? {}))
      for (const book of books) await say(unsubscribe(book))
      await say(unsubscribe(books[0] ?? {}))
      const up = coins.map((_, at) => at + 1)
      const right = [...up, coins.length, ...up.map((count) => coins.length - count), 0]
      assertSame(probe, counts, right, `activeCount goes ${right.join(', ')}`)
    },
  },
  {
    id: 'sockets.subscriptions.keys.book',
    title:
      'an l2Book with another nSigFigs is another subscription, with another mantissa it is none',
    checks: ['channel.key.l2Book', 'channel.l2Book.nSigFigs'],
    run: async (probe: Probe) => {
      const [book] = await coinSubscriptions(probe)
      const subscriptions = [
        { ...book },
        { ...book, nSigFigs: 3 },
        { ...book, nSigFigs: 4 },
        { ...book },
      ]
      await statuses(probe, subscriptions, ['subscribed', 'subscribed', 'subscribed', AGAIN])
      const fine = { ...book, nSigFigs: 5 }
      await statuses(probe, [fine, { ...fine, mantissa: 2 }], [NEW, AGAIN])
      await statuses(
        probe,
        [
          { ...book, nSigFigs: 4 },
          { ...book, nSigFigs: 4 },
        ],
        [NEW, AGAIN],
      )
    },
  },
  {
    id: 'sockets.subscriptions.keys.candle',
    title: 'a candle with another interval is another subscription, of the same coin',
    checks: ['channel.key.candle', 'channel.candle.intervals'],
    run: async (probe: Probe) => {
      const [coin = ''] = await someCoins(probe)
      const of = (interval: string) => ({ type: 'candle', coin, interval })
      const intervals = ['1s', '5s', '15s', '1m', '15m', '1h', '4h']
      await statuses(probe, [...intervals, ...intervals].map(of), [
        ...intervals.map(() => NEW),
        ...intervals.map(() => AGAIN),
      ])
    },
  },
  {
    id: 'sockets.subscriptions.keys.coin',
    title: 'the coin alone makes two subscriptions to trades or bbo the same',
    checks: ['channel.key.coin', 'channel.duplicate'],
    run: async (probe: Probe) => {
      const [coin, other] = await someCoins(probe)
      for (const type of ['trades', 'bbo']) {
        const subscriptions = [
          { type, coin },
          { type, coin, unheard: 1 },
          { type, coin },
        ]
        await statuses(probe, subscriptions, [NEW, AGAIN, AGAIN])
        if (other === undefined) continue
        await statuses(
          probe,
          [
            { type, coin },
            { type, coin: other },
          ],
          [NEW, NEW],
        )
      }
    },
  },
]

const NEW = 'subscribed'
const AGAIN = 'alreadySubscribed'
const STATES = ['notSubscribed', NEW, AGAIN, 'unsubscribed', 'notSubscribed', NEW]

/** Subscribes in sequence on one connection. */
async function statuses(
  probe: Probe,
  subscriptions: readonly Record<string, unknown>[],
  right: readonly string[],
): Promise<void> {
  const socket = await open(probe)
  for (const [at, subscription] of subscriptions.entries()) {
    const { status } = await acknowledged(socket, subscribe(subscription))
    probe.assert(
      status === right[at],
      `${JSON.stringify(subscription)}, as number ${at + 1}, is ${right[at]}`,
      status,
    )
  }
}

// Frames of socket cases.

export const NODE = '/hl/ws'
export const USER_PATHS = ['/hl/ws/fills', '/hl/ws/filled-orders', '/hl/ws/clearinghouse-state']

export const subscribe = (subscription: JsonObject) => ({ method: 'subscribe', subscription })
export const unsubscribe = (subscription: JsonObject) => ({ method: 'unsubscribe', subscription })

export const open = (probe: Probe, path = NODE, more: Partial<ProbeRequest> = {}) =>
  probe.connect({ path, ...more })

/** Payload of a frame on `/ws`. */
export const frameData = (frame: SocketFrame): JsonObject =>
  isJsonObject(frame.data) ? frame.data : {}

const isAck = (frame: SocketFrame) => frame.channel === 'subscriptionResponse'

/** Sends a command on `/ws` and returns the data of its acknowledgement. */
export async function acknowledged(socket: ProbeSocket, command: JsonObject): Promise<JsonObject> {
  socket.sendJson(command)
  return frameData(await socket.waitFor(isAck, `${JSON.stringify(command)} is acknowledged`))
}

/** The next frame of a channel. */
export const pushed = (socket: ProbeSocket, channel: string, message: string, ms?: number) =>
  socket.waitFor((frame) => frame.channel === channel, message, ms)

/** Frames up to the reply to a ping: all earlier commands have been answered. */
export async function untilPong(socket: ProbeSocket, isNode = true): Promise<SocketFrame[]> {
  const before: SocketFrame[] = []
  socket.sendJson(isNode ? { method: 'ping' } : { type: 'ping' })
  await socket.waitFor((frame) => {
    if (isPong(frame)) return true
    before.push(frame)
    return false
  }, 'a ping is answered')
  return before
}

/** A subscription to each coin channel, of one coin. */
export async function coinSubscriptions(probe: Probe): Promise<JsonObject[]> {
  const coin = await someCoin(probe)
  return [
    { type: 'l2Book', coin },
    { type: 'bbo', coin },
    { type: 'trades', coin },
    { type: 'candle', coin, interval: '1m' },
  ]
}
