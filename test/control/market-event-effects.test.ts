/** The effects of market events, compared with the same market without them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { PREFIXES } from '../../src/contract/prefixes.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const line = await smallLine()
const { registry } = await lineRegistry(line, { epoch: 'tape' })
const call = controlCaller(registry)
afterAll(() => {
  registry.close()
  line.remove()
})

/** A sandbox at the tape's end, with market events, and a socket that follows two coins. */
async function scheduledSandbox(name: string, ...events: object[]) {
  const sandbox = await registry.create({ name })
  const ask = (id: string, body?: object) => call(id, { params: { id: name }, body })
  for (const body of events)
    expect(await ask('market.trigger', body)).toMatchObject({ status: 200 })
  const { connect } = memoryTransport(registry)
  const socket = connect(`${PREFIX}/ws?${signedAs(sandbox)}`) as MemorySocket
  for (const coin of ['BTC', 'SOL']) sendJson(socket, subscribeFrame({ type: 'trades', coin }))
  const advance = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 30) {
      // A silent socket is closed after a minute.
      sendJson(socket, { method: 'ping' })
      expect((await ask('clock.advance', { ms: 30_000 })).status).toBe(200)
    }
  }
  return { sandbox, ask, socket, advance, get: getter(registry, sandbox) }
}

const signedAs = ({ keys: { full } }: Sandbox) => signed(full.accessKey, -1, full.secretKey)

/** Calls an operation of the contract by its id; the data of its envelope. */
function getter(of: Registry, sandbox: Sandbox) {
  const { request } = memoryTransport(of)
  return (id: string, names: Record<string, string> = {}, query: Record<string, string> = {}) => {
    const path = OPERATIONS.find((one) => one.id === id)?.path ?? id
    const place = path.replace(/:(\w+)/g, (_, name) => names[name] ?? '')
    const url = `${PREFIXES[0]}${place}?${signedAs(sandbox)}&${new URLSearchParams(query)}`
    return JSON.parse(request('GET', url).body).data
  }
}

type Scheduled = Awaited<ReturnType<typeof scheduledSandbox>>

/** Prices of a coin's trades on a socket. */
function heardPrices({ socket }: Scheduled, coin: string): number[] {
  return socket.frames
    .map((text) => JSON.parse(text))
    .filter(({ channel, data }) => channel === 'trades' && data[0]?.coin === coin)
    .flatMap(({ data }) => data.map(({ px }: { px: string }) => Number(px)))
}

const priceOf = ({ get }: Scheduled, coin: string): number =>
  Number(get('perpdex.ticker', { coin }).price)

/** Accounts with an open position of a coin and side at the end of the tape. */
async function holders(coin: string, direction: 'long' | 'short'): Promise<string[]> {
  const { db, byCoin } = await smallWorld()
  return db
    .query<{ address: string }, [number, string]>(
      `select t.address from position p join trader t on t.id = p.trader
       where p.instrument = ? and p.closeMs is null and p.direction = ?`,
    )
    .all(byCoin.get(coin)?.id ?? -1, direction)
    .map(({ address }) => address)
}

let plain: Scheduled
let fall: Scheduled
let rally: Scheduled
beforeAll(async () => {
  plain = await scheduledSandbox('plain')
  fall = await scheduledSandbox('fall', { kind: 'move', coin: 'BTC', pct: -6, overS: 120 })
  rally = await scheduledSandbox('rally', { kind: 'move', coin: 'BTC', pct: 5, overS: 120 })
  fall.get('signal.addAlert', {}, { subType: 'price:1:below:91000', symbol: 'btcswapusdc:hl' })
  for (const { advance } of [plain, fall, rally]) await advance(330)
})

test('a coin moves by the requested amount, and others follow', () => {
  const change = (scheduled: Scheduled, coin: string) =>
    100 * (priceOf(scheduled, coin) / priceOf(plain, coin) - 1)
  expect(change(fall, 'BTC')).toBeGreaterThan(-8)
  expect(change(fall, 'BTC')).toBeLessThan(-4)
  expect(change(fall, 'SOL')).toBeLessThan(-2)
  expect(change(rally, 'BTC')).toBeGreaterThan(3)
  expect(change(rally, 'BTC')).toBeLessThan(7)
  expect(change(rally, 'SOL')).toBeGreaterThan(2)
})

test('sockets, candles and books show it', () => {
  const [before = 0] = heardPrices(fall, 'BTC')
  expect(Math.min(...heardPrices(fall, 'BTC'))).toBeLessThan(before * 0.95)
  expect(Math.max(...heardPrices(rally, 'BTC'))).toBeGreaterThan(before * 1.04)
  const lows = (scheduled: Scheduled) => {
    const { candles } = scheduled.sandbox.facts()
    const span = { coin: 'BTC', interval: '1m', startTimeMs: line.tapeEndMs } as const
    const found = runToEnd(candles.between(span))
    return Math.min(...(found ?? []).map(({ l }) => Number(l)))
  }
  expect(lows(fall)).toBeLessThan(before * 0.95)
  expect(lows(plain)).toBeGreaterThan(before * 0.97)
  const bid = (scheduled: Scheduled) =>
    Number(scheduled.sandbox.facts().books.bbo('BTC')?.bbo[0]?.px)
  expect(bid(fall)).toBeLessThan(bid(plain) * 0.96)
})

test('other exchanges, flashes and signals follow, and alerts fire', () => {
  const shown = ['futures.latestDepth', 'content.flashList', 'signal.changes', 'coin.ticker']
  const requested: Record<string, Record<string, string>> = {
    'futures.latestDepth': { dbKey: 'btcswapusdt:binance' },
    'signal.changes': { type: '4' },
    'coin.ticker': { coin_list: 'bitcoin' },
  }
  for (const id of shown)
    expect(JSON.stringify(fall.get(id, {}, requested[id]))).not.toBe(
      JSON.stringify(plain.get(id, {}, requested[id])),
    )
  expect(JSON.stringify(fall.get('signal.alerts'))).toContain('btcswapusdc:hl')
  expect(JSON.stringify(plain.get('signal.alerts'))).not.toContain('btcswapusdc:hl')
})

test('positions beyond the price are liquidated: longs in a fall, shorts in a rally', async () => {
  const outcome = async ({ ask }: Scheduled) =>
    (await ask('market.events')).body.events[0].outcome[0]
  const [fallen, risen] = [await outcome(fall), await outcome(rally)]
  expect(Number(fallen.liquidatedUsd.long)).toBeGreaterThan(Number(fallen.liquidatedUsd.short))
  expect(Number(risen.liquidatedUsd.short)).toBeGreaterThan(Number(risen.liquidatedUsd.long))
  const liquidated = (scheduled: Scheduled, addresses: string[]) =>
    addresses.filter((address) =>
      scheduled.sandbox
        .facts()
        .fills.native(address, 2_000)
        .some(
          ({ liquidation: by, time, dir }) =>
            by?.liquidatedUser === address && time > line.tapeEndMs && dir.endsWith('Long'),
        ),
    )
  const longs = [...(await holders('BTC', 'long')), ...(await holders('SOL', 'long'))]
  const usual = liquidated(plain, longs)
  expect(liquidated(fall, longs).length).toBeGreaterThan(usual.length)
  expect(liquidated(rally, longs).filter((one) => !usual.includes(one))).toEqual([])
})

test('a halted coin is not traded, and its book stands still; others continue', async () => {
  const halted = await scheduledSandbox('halted', { kind: 'halt', coin: 'BTC', forS: 60 })
  const book = () => JSON.stringify(halted.sandbox.facts().books.l2({ coin: 'BTC' })?.levels)
  const before = book()
  halted.socket.frames.splice(0)
  await halted.advance(30)
  expect([heardPrices(halted, 'BTC').length, book()]).toEqual([0, before])
  expect(heardPrices(halted, 'SOL').length).toBeGreaterThan(0)
  await halted.advance(60)
  expect(heardPrices(halted, 'BTC').length).toBeGreaterThan(0)
})

test('news events are in the list of news', async () => {
  const scheduled = await scheduledSandbox('news', { kind: 'news', story: 'licence' })
  const titles = ({ get }: Scheduled) =>
    get('content.newsList', {}, { page: '1', size: '20' }).map(
      ({ title }: { title: string }) => title,
    )
  const before = titles(scheduled)
  await scheduled.advance(30)
  expect(titles(scheduled).filter((title: string) => !before.includes(title))).toHaveLength(1)
})
