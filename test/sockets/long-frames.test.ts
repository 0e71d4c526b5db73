/** Frames about hundreds of markets are made in slices, by a subscription, a push and a seek. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { type Slices, Turns } from '../../src/clock/turns.ts'
import type { Facts, Moment } from '../../src/contract/facts.ts'
import type { TimelineEvent } from '../../src/contract/timeline.ts'
import { parseQuery } from '../../src/sandbox/pipeline/http-message.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { openSession, socketOf } from '../../src/sandbox/session/socket-upgrade.ts'
import { hubOf } from '../../src/sandbox/session/subscription-hub.ts'
import { ADDRESS, fakeWorld } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { subscribeFrame } from '../fixtures/memory-socket.ts'

const COINS = 400
const DEXS = ['', ...Array.from({ length: 20 }, (_, at) => `dex${at}`)]
const PRICE = { markPx: '1.0', midPx: null }

/** The fake market with many more coins. Each context and each account state is one piece. */
function crowdedWorld(seconds: number, onPiece: () => void) {
  const world = fakeWorld(seconds)
  const piece = <T>(value: T): T => {
    onPiece()
    return value
  }
  function* contexts(count: number, atMs: number): Slices<object[]> {
    const list: object[] = []
    for (let at = 0; at < count; at++) {
      list.push(piece({ ...PRICE, markPx: String(atMs + at) }))
      yield
    }
    return list
  }
  const facts = (moment: Moment): Facts => {
    const fake = world.facts(moment) as unknown as Record<string, object>
    const own = {
      assetContexts: {
        perps: (dex: string) => contexts(dex === '' ? COINS : 1, moment.atMs),
        spots: () => contexts(COINS, moment.atMs),
        ofCoin: () => contexts(1, moment.atMs),
      },
      venue: {
        dexNames: () => DEXS,
        meta: () => ({ universe: Array.from({ length: COINS }, (_, at) => ({ name: `C${at}` })) }),
      },
      accounts: { ...fake.accounts, native: () => piece({ time: moment.atMs }) },
      users: {
        savings: () => ({ vault: null }),
        netDeposits: () => '0.0',
        spot: () => ({ balances: [] }),
        *funding() {
          const payments = yield* contexts(COINS, moment.atMs)
          return payments.map(() => ({
            time: moment.atMs,
            delta: { type: 'funding', usdc: '1.0' },
          }))
        },
      },
      orders: { frontendOpen: () => [] },
      twaps: { running: () => [] },
    }
    return { ...fake, ...own } as unknown as Facts
  }
  const { timeline } = world
  const chunk = (index: number) =>
    timeline
      .chunk(index)
      .flatMap((event) => (event.kind === 'bbo' ? [event, marked(event)] : event))
  return { ...world, facts, timeline: { ...timeline, chunk } }
}

const marked = ({ timeMs }: TimelineEvent): TimelineEvent => ({ kind: 'mark', timeMs, coin: 'BTC' })

/** A sandbox of that market whose work is cut wherever it may be; `most` is the longest slice. */
async function crowdedMarket(budgetMs: number, seconds = 60) {
  const pieces = { inSlice: 0, most: 0 }
  const world = crowdedWorld(seconds, () => {
    pieces.most = Math.max(pieces.most, ++pieces.inSlice)
  })
  const settings = { clock: 'held', epoch: 'tape', profile: 'raw', end: 'hold' } as const
  const registry = new Registry(async () => world, ['HL_TICKERS'], settings, fixedClock)
  const turns = new Turns(hostClock, budgetMs)
  const begin = () => {
    pieces.inSlice = 0
  }
  turns.monitor = { begin, end: begin }
  Object.assign(registry, { turns })
  await registry.open()
  const sandbox = registry.list()[0]
  const endpoint = socketOf('/ws')
  if (!sandbox || !endpoint) throw new Error('no default sandbox, or no socket')
  const opened = openSession(registry, endpoint.socket, parseQuery(''), { path: '/ws' })
  if ('response' in opened) throw new Error(opened.response.body)
  const frames: string[] = []
  const session = opened.open({
    send: (sent) => void frames.push(...sent),
    pendingBytes: () => 0,
    close: () => {},
    terminate: () => {},
  })
  const inTurns = (work: Slices<unknown>) => turns.run(sandbox, work)
  return {
    pieces,
    frames,
    sandbox,
    subscribe: (subscription: object) =>
      inTurns(session.receive(JSON.stringify(subscribeFrame(subscription)))),
    advance: (ms: number) => inTurns(sandbox.clock.advancing(ms)),
    async seek(ms: number) {
      sandbox.playhead.set(sandbox.clock.nowMs(), { atMs: sandbox.position().atMs + ms })
      const rest = sandbox.player.seek()
      if (rest) await turns.run(hubOf(sandbox), rest)
    },
  }
}

const SUBSCRIPTIONS = [
  { type: 'assetCtxs' },
  { type: 'allDexsAssetCtxs' },
  { type: 'spotAssetCtxs' },
  { type: 'fastAssetCtxs' },
  { type: 'webData2', user: ADDRESS },
  { type: 'allDexsClearinghouseState', user: ADDRESS },
  { type: 'activeAssetCtx', coin: 'BTC' },
  { type: 'userFundings', user: ADDRESS },
]

/** What a client gets: the opening frames, pushes while the clock moves, and those of a seek. */
async function session(subscriptions: object[], budgetMs: number) {
  const market = await crowdedMarket(budgetMs)
  for (const subscription of subscriptions) await market.subscribe(subscription)
  const opening = market.frames.splice(0)
  await market.advance(7_000)
  const pushed = market.frames.splice(0)
  await market.seek(20_000)
  const afterSeek = market.frames.splice(0)
  return { opening, pushed, afterSeek, most: market.pieces.most }
}

test.each(SUBSCRIPTIONS)('%p takes a slice for each piece of its frames', async (subscription) => {
  const { opening, pushed, afterSeek, most } = await session([subscription], 0)
  expect(opening.map((frame) => JSON.parse(frame).channel)).toEqual([
    'subscriptionResponse',
    JSON.parse(opening[1] ?? '{}').channel,
  ])
  expect(pushed.length).toBeGreaterThan(0)
  expect(afterSeek).toHaveLength(1)
  expect(most).toBeLessThanOrEqual(2)
})

test('frames and their order do not depend on how their work is cut', async () => {
  const [cut, whole] = [await session(SUBSCRIPTIONS, 0), await session(SUBSCRIPTIONS, 1e9)]
  expect({ ...cut, most: 0 }).toEqual({ ...whole, most: 0 })
})

test('an event while a frame is in the making is pushed at the end of its gap', async () => {
  const market = await crowdedMarket(0, 3)
  const subscribing = market.subscribe({ type: 'fastAssetCtxs' })
  await Promise.all([subscribing, market.advance(3_000)])
  const [acknowledged, opening = '', ...more] = market.frames.splice(0)
  expect([JSON.parse(acknowledged ?? '').channel, more]).toEqual(['subscriptionResponse', []])
  await market.advance(2_000)
  expect(market.frames).toHaveLength(1)
  expect(market.frames[0]).not.toBe(opening)
})
