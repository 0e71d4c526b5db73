/** A world of a real recording reproduces the recorded frames. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { timelineOf } from '../../src/market/playback/timeline.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { flawsOfCoin } from '../fixtures/reconciled.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { factsAt, worldOfTape } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const RECORDED = sharedTape('venue-native/btcusd_20250126.gz')
const RAW = sharedTape('usdm/usdm_btcusdt_20240808.gz')
const at = temporaryFolder()
/** Instants of the futures at which the quotes and the book of one millisecond differ. */
const [QUOTE_AHEAD_MS, BOOK_AHEAD_MS] = [1_723_161_256_567, 1_723_161_268_517]

interface Frame {
  channel: string
  data: { time: number } & Record<string, unknown>
}

const framesOf = (file: string): Frame[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(line.indexOf(' ') + 1)))

test.skipIf(RECORDED.absent)(
  `the venue's own book frames come back as they were recorded${RECORDED.reason}`,
  async () => {
    const out = at('native.tape.ndjson')
    await importTape([RECORDED.path], out)
    const world = await worldOfTape(out)
    const books = framesOf(RECORDED.path).filter(({ channel }) => channel === 'l2Book')
    expect(books).toHaveLength(46)
    const byTime = new Map(books.map(({ data }) => [data.time, data]))
    for (const [timeMs, data] of byTime)
      expect(factsAt(world, timeMs).books.l2({ coin: 'BTC' })).toEqual(data as never)
    world.close()
  },
)

test.skipIf(RECORDED.absent)(
  `the venue's own trades come back with their hashes, ids and users${RECORDED.reason}`,
  async () => {
    const out = at('trades.tape.ndjson')
    await importTape([RECORDED.path], out)
    const world = await worldOfTape(out)
    const recorded = framesOf(RECORDED.path)
      .filter(({ channel }) => channel === 'trades')
      .flatMap(({ data }) => data as unknown as Record<string, unknown>[])
    const shown = factsAt(world, world.endMs).market.recentTrades('BTC', 1_000)
    const byTid = new Map(shown.map((trade) => [trade.tid, trade]))
    expect(recorded.length).toBeGreaterThan(40)
    for (const { time: _, ...trade } of recorded)
      expect(byTid.get(trade.tid as number)).toMatchObject(trade)
    world.close()
  },
)

test.skipIf(RECORDED.absent)(
  `no order of those whom a recording names crosses its book${RECORDED.reason}`,
  async () => {
    const out = at('named.tape.ndjson')
    await importTape([RECORDED.path], out)
    const world = await worldOfTape(out)
    for (let timeMs = Number(world.startMs); timeMs <= Number(world.endMs); timeMs += 1000)
      expect(flawsOfCoin(factsAt(world, timeMs as never), 'BTC')).toEqual([])
    world.close()
  },
)

test.skipIf(RAW.absent)(
  `a tape's own best prices are played each time they change${RAW.reason}`,
  async () => {
    const out = at('raw.tape.ndjson')
    await importTape([RAW.path], out)
    const world = await worldOfTape(out)
    const timeline = timelineOf(world)
    const chunks = Math.ceil(30_000 / timeline.chunkMs)
    const quotes = Array.from({ length: chunks }, (_, index) => timeline.chunk(index))
      .flat()
      .filter((one) => one.kind === 'bbo')
    const { timeMs: untilMs = 0 } = quotes.at(-1) ?? {}
    const rows = world.db
      .query('select bidPx, bidSz, askPx, askSz from bbo where timeMs <= ? order by timeMs, id')
      .values(untilMs)
    const changes = rows.filter((row, at) => `${row}` !== `${rows[at - 1]}`)
    expect(changes.length).toBeGreaterThan(1_000)
    // Once the futures' book is 12 ms ahead of its quotes, and has the best prices until the next.
    const ofBook = quotes.filter(({ timeMs }) => timeMs === BOOK_AHEAD_MS)
    expect(ofBook.map(({ bbo }) => bbo.bbo.map((level) => level?.px))).toEqual([
      ['61807.1', '61807.2'],
    ])
    expect(quotes.length).toBe(changes.length + ofBook.length)
    for (const { coin, bbo, timeMs } of quotes.slice(-20)) {
      const now = factsAt(world, timeMs).books.bbo(coin)
      expect(now?.time).toBe(bbo.time)
    }
    const instants = Array.from({ length: 6 }, (_, at) => world.startMs + 50_000 * at + 255)
    for (const timeMs of [BOOK_AHEAD_MS, QUOTE_AHEAD_MS, ...instants])
      expect(flawsOfCoin(factsAt(world, timeMs), 'BTC')).toEqual([])
    world.close()
  },
)
