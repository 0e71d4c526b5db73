/** An unmodified client of the perpetual venue, against a running server. */
import { afterAll, expect, test } from 'bun:test'
import { SubscriptionClient, WebSocketTransport } from '@nktkas/hyperliquid'
import type {
  BboEvent,
  CandleEvent,
  ClearinghouseStateEvent,
  L2BookEvent,
  OpenOrdersEvent,
  TradesEvent,
  UserFillsEvent,
  UserNonFundingLedgerUpdatesEvent,
} from '@nktkas/hyperliquid/api/subscription'
import { listen, server } from '../../src/server/transport/elysia/server.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const { registry, cast } = await recordedRegistry({ clock: 'running', speed: 20 })
const app = server({ registry, control: [], pages: new Map() })
const origin = listen(app, { port: 0, host: 'localhost' }).replace('http', 'ws')
const factory = () => `${origin}/api/upgrade/v2/hl/ws?${signed()}`
// The transport passes its url to a socket that takes a factory, which its own type lacks.
const transport = new WebSocketTransport({ url: factory as unknown as string, timeout: null })
const client = new SubscriptionClient({ transport })

afterAll(async () => {
  transport.close()
  registry.close()
  await app.stop(true)
})

type Subscribe<T> = (listener: (event: T) => void) => Promise<{ unsubscribe(): Promise<void> }>

/** Subscribes, waits for so many events, unsubscribes. */
async function events<T>(count: number, subscribe: Subscribe<T>): Promise<T[]> {
  const received: T[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const subscription = await subscribe((event) => {
    if (received.push(event) === count) resolve()
  })
  await promise
  await subscription.unsubscribe()
  return received
}

test('books, with and without rounding', async () => {
  const books = await events<L2BookEvent>(3, (listener) => client.l2Book({ coin: 'BTC' }, listener))
  for (const { coin, levels } of books) {
    expect(coin).toBe('BTC')
    expect(Number(levels[0][0]?.px)).toBeLessThan(Number(levels[1][0]?.px))
  }
  const [rounded] = await events<L2BookEvent>(1, (listener) =>
    client.l2Book({ coin: 'ETH', nSigFigs: 3 }, listener),
  )
  expect(rounded?.levels[0][0]?.px).toMatch(/^\d\d\d0\.0$/)
})

test('best bids and offers', async () => {
  const [bbo] = await events<BboEvent>(2, (listener) => client.bbo({ coin: 'SOL' }, listener))
  expect(Number(bbo?.bbo[0]?.px)).toBeLessThan(Number(bbo?.bbo[1]?.px))
})

test('trades', async () => {
  const batches = await events<TradesEvent>(2, (listener) =>
    client.trades({ coin: 'BTC' }, listener),
  )
  for (const trade of batches.flat()) expect(trade.users).toHaveLength(2)
})

test('candles', async () => {
  const [candle] = await events<CandleEvent>(2, (listener) =>
    client.candle({ coin: 'BTC', interval: '1m' }, listener),
  )
  expect(Number(candle?.h)).toBeGreaterThanOrEqual(Number(candle?.l))
})

test('the four channels of an account', async () => {
  // On the main dex, whose state the channel has.
  const held = cast().openPositions.find(({ coin }) => !coin.includes(':'))
  const user = held?.address as `0x${string}`
  const [fills] = await events<UserFillsEvent>(1, (listener) =>
    client.userFills({ user }, listener),
  )
  expect(fills).toMatchObject({ user, isSnapshot: true })
  const [ledger] = await events<UserNonFundingLedgerUpdatesEvent>(1, (listener) =>
    client.userNonFundingLedgerUpdates({ user }, listener),
  )
  expect(ledger?.nonFundingLedgerUpdates.length).toBeGreaterThan(0)
  const [orders] = await events<OpenOrdersEvent>(1, (listener) =>
    client.openOrders({ user }, listener),
  )
  expect(orders).toMatchObject({ user, dex: '' })
  const [state] = await events<ClearinghouseStateEvent>(1, (listener) =>
    client.clearinghouseState({ user }, listener),
  )
  expect(state?.clearinghouseState.assetPositions.length).toBeGreaterThan(0)
})

test('an unsupported channel is an error to the client', async () => {
  await expect(client.allMids(() => {})).rejects.toThrow()
})
