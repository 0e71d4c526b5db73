/** A tape with quotes of their own beside its books: the newer of both has the best prices. */
import { afterAll, expect, test } from 'bun:test'
import type { InputEvent } from '../../src/market/casting/tape-input.ts'
import { timelineOf } from '../../src/market/playback/timeline.ts'
import { openCast, WORLDS } from '../fixtures/cast-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { flawsOfCoin } from '../fixtures/reconciled.ts'
import { factsAt } from '../fixtures/small-world.ts'

type Level = [px: string, sz: string, n: number]
const quote = (bid: Level | null, ask: Level | null, afterMs = 400) => ({
  kind: 'bbo',
  coin: 'BTC',
  data: { bid, ask },
  afterMs,
})
const change = (bids: Level[], asks: Level[], afterMs = 400) => ({
  kind: 'delta',
  coin: 'BTC',
  data: { bids, asks },
  afterMs,
})

const BOOK = {
  kind: 'book',
  coin: 'BTC',
  data: {
    bids: [
      ['96409', '2', 4],
      ['96408', '1', 1],
      ['96405', '5', 7],
    ],
    asks: [
      ['96413', '3', 5],
      ['96414', '1', 2],
    ],
  },
  afterMs: 5000,
}

/** After each: what the best bid and ask are from then on, and why. */
const STEPS: [event: object, bid: Level | null, ask: Level | null][] = [
  [BOOK, ['96409.0', '2.0', 4], ['96413.0', '3.0', 5]],
  // A quote is newer than the book: other size, better price.
  [quote(['96409', '1.5', 3], ['96412', '0.4', 1]), ['96409.0', '1.5', 3], ['96412.0', '0.4', 1]],
  // It is behind levels of the book, which are gone.
  [quote(['96406', '2', 1], ['96412', '0.4', 1]), ['96406.0', '2.0', 1], ['96412.0', '0.4', 1]],
  // It is beyond the best ask of the book.
  [quote(['96413', '2', 1], ['96414', '1', 2]), ['96413.0', '2.0', 1], ['96414.0', '1.0', 2]],
  // A book is newer than the quote.
  [change([['96408', '7', 2]], [['96412', '1', 1]]), ['96409.0', '2.0', 4], ['96412.0', '1.0', 1]],
  // Both of one instant: the quote.
  [change([['96409', '9', 9]], []), ['96409.0', '9.0', 9], ['96412.0', '1.0', 1]],
  [quote(['96409', '8', 8], ['96412', '1', 1], 0), ['96409.0', '8.0', 8], ['96412.0', '1.0', 1]],
  // No orders on this side.
  [quote(['96409', '8', 8], null), ['96409.0', '8.0', 8], null],
  [change([], [['96412', '2', 1]]), ['96409.0', '9.0', 9], ['96412.0', '2.0', 1]],
]

const tape = handWrittenTape(STEPS.map(([event]) => event as Omit<InputEvent, 'time' | 'seq'>))
const world = await openCast(tape, WORLDS)
afterAll(() => world.close())

const times = await (async () => {
  const all: number[] = []
  for await (const events of tape.events()) all.push(...events.map(({ time }) => time))
  return all.slice(-STEPS.length)
})()

/** The last of the steps of one instant is what is seen. */
const SEEN = STEPS.flatMap(([, bid, ask], at) =>
  times[at] === times[at + 1] ? [] : [[times[at] as number, bid, ask] as const],
)

test('the book, its rounded and grouped forms and bbo have the best prices of the newer', () => {
  const level = (one: Level | null) => one && { px: one[0], sz: one[1], n: one[2] }
  for (const [timeMs, bid, ask] of SEEN)
    for (const atMs of [timeMs, timeMs + 399]) {
      const { books, futures } = factsAt(world, atMs)
      const expected = [level(bid), level(ask)]
      expect(books.bbo('BTC')).toEqual({ coin: 'BTC', time: timeMs, bbo: expected } as never)
      const book = books.l2({ coin: 'BTC' })
      expect(book?.time).toBe(timeMs)
      expect(book?.levels.map((side) => side[0] ?? null)).toEqual(expected as never)
      const full = futures.fullDepth('btcswapusdt:hl') ?? futures.fullDepth('btcswapusdc:hl')
      const shown = [full?.bids[0], full?.asks[0]].map((one) => one && Number(one[0]))
      expect(shown).toEqual([bid, ask].map((one) => (one ? Number(one[0]) : undefined)))
    }
})

test('levels behind the best ones are those of the book, and none crosses', () => {
  for (const [timeMs] of SEEN) {
    const [bids, asks] = factsAt(world, timeMs).books.l2({ coin: 'BTC' })?.levels ?? [[], []]
    const prices = [...bids.toReversed(), ...asks].map(({ px }) => Number(px))
    expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b))
  }
  const [bids] = factsAt(world, times[2] as number).books.l2({ coin: 'BTC' })?.levels ?? []
  expect(bids?.map(({ px }) => px)).toEqual(['96406.0', '96405.0'])
})

test('every identity of the coin holds whichever is newer', () => {
  for (const [timeMs] of [SEEN[1], SEEN[4], SEEN[5], SEEN[7]] as typeof SEEN)
    expect(flawsOfCoin(factsAt(world, timeMs + 399), 'BTC')).toEqual([])
})

test('each change of the best prices is pushed, and nothing else', () => {
  const timeline = timelineOf(world)
  const chunks = Math.ceil((world.endMs - world.startMs + 1) / timeline.chunkMs)
  const pushed = Array.from({ length: chunks }, (_, index) => timeline.chunk(index))
    .flat()
    .filter((one) => one.kind === 'bbo' && one.coin === 'BTC')
  const last = new Map<number, unknown>()
  for (const one of pushed) if (one.kind === 'bbo') last.set(one.timeMs, one.bbo)
  for (let at = world.startMs as number; at <= world.endMs; at += 100) {
    const latest = [...last.keys()].filter((timeMs) => timeMs <= at).at(-1)
    const expected = latest === undefined ? null : last.get(latest)
    const now = factsAt(world, at).books.bbo('BTC')
    expect((expected as typeof now)?.bbo ?? [null, null]).toEqual(now?.bbo as never)
  }
  expect(pushed.length).toBe(last.size)
  const texts = pushed.map((one) => JSON.stringify(one.kind === 'bbo' && one.bbo.bbo))
  expect(texts.filter((text, at) => text === texts[at - 1])).toEqual([])
})

test('a coin with quotes alone has a book of them', () => {
  const { books } = factsAt(world, world.endMs)
  expect(books.l2({ coin: '@107' })?.levels).toEqual([
    [{ px: '25.22', sz: '100.0', n: 1 }],
    [],
  ] as never)
})
