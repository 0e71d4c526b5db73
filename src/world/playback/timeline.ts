/** The events of a world's tape, read in chunks that all sandboxes on it share. */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import type { Timeline, TimelineEvent } from '../../contract/timeline.ts'
import { isOfCrowd } from '../crowd-address.ts'
import { perWorld } from '../per-world.ts'
import { columns } from '../rows/columns.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { schema } from '../schema.ts'
import { SpanCache } from '../span-cache.ts'
import { CHUNKS_OF_LONG_TAPES, isLongTape } from '../tape-length.ts'
import type { World } from '../world.ts'
import { chunkReader } from './chunk-reader.ts'
import { crowdEvents } from './crowd-events.ts'

/** The timeline of a world, shared by all sandboxes on it. */
export const timelineOf = perWorld<Timeline>((world) => {
  const { startMs, tapeEndMs } = world
  const chunkMs = chunkMsOf(world)
  return {
    startMs,
    tapeEndMs,
    get endMs() {
      return world.endMs
    },
    chunkMs,
    chunk: (index) => eventChunk(world, chunkMs, index),
    prepare: (index) => prepareChunk(world, chunkMs, index),
    isApart: isOfCrowd,
    eventsApart: (addresses, index) => eventsApart(world, chunkMs, addresses, index),
  }
})

/** The events of a world in chunks of a length, counted from its start. */
export function eventChunk(world: World, chunkMs: number, index: number): readonly TimelineEvent[] {
  const span = spanOf(world, chunkMs, index)
  if (span === null) return []
  const read = () => runToEnd(chunkReaderOf(world)(span.fromMs, span.toMs))
  return chunkCache(world).get(span.key, span.fromMs + chunkMs, read)
}

/** Reads such a chunk in slices, unless it is there. */
export function* prepareChunk(world: World, chunkMs: number, index: number): Slices<void> {
  const [span, cache] = [spanOf(world, chunkMs, index), chunkCache(world)]
  if (span === null || cache.find(span.key)) return
  const { endMs } = world
  const events = yield* chunkReaderOf(world)(span.fromMs, span.toMs)
  cache.put(span.key, span.fromMs + chunkMs, events, endMs)
}

/** Reads what playing such chunks needs from an instant on, in slices. */
export function* preparePlayback(world: World, chunkMs: number, atMs: TapeMs): Slices<void> {
  yield* prepareChunk(world, chunkMs, Math.floor((atMs - world.startMs) / chunkMs))
  for (const { id } of world.listed) yield* tradeHoursOf(world).read(id, atMs, later(atMs, 1))
}

/** What there is of such a chunk; null where nothing is. */
function spanOf({ startMs, endMs }: World, chunkMs: number, index: number) {
  const fromMs = later(startMs, index * chunkMs)
  if (fromMs > endMs || index < 0) return null
  const toMs = tapeMs(Math.min(fromMs + chunkMs, endMs + 1))
  return { key: `${chunkMs}/${index}`, fromMs, toMs }
}

/** What happens to accounts of the crowd in such a chunk. */
export function eventsApart(
  world: World,
  chunkMs: number,
  addresses: ReadonlySet<string>,
  index: number,
): readonly TimelineEvent[] {
  const fromMs = later(world.startMs, index * chunkMs)
  const ofMarket = eventChunk(world, chunkMs, index)
  return crowdEvents(world, addresses, ofMarket, fromMs, later(fromMs, chunkMs))
}

const chunkCache = perWorld((world) => {
  const most = isLongTape(world) ? CHUNKS_OF_LONG_TAPES : CACHED_CHUNKS
  return new SpanCache<string, readonly TimelineEvent[]>(world, most)
})

/** Reads its beginning in slices: what is read first takes much longer than what is read later. */
export const warmTimeline = (world: World): Slices<void> => timelineOf(world).prepare(0)

const chunkReaderOf = perWorld(chunkReader)

/** Rows of an average chunk: few, as playback waits while one is read. */
const CHUNK_ROWS = 120
/** Chunks cached in memory, of a hundred thousand events in all: a short tape is, as a whole. */
const CACHED_CHUNKS = 800
const CHUNK_MIN_MS = 100
const CHUNK_MAX_MS = 60_000

/** What events are made of. */
const TABLES = ['mark', 'ledger', 'trade', 'fill', 'book', 'bbo'] as const

/**
 * A length at which the average chunk has about CHUNK_ROWS rows. Ids rise with time, so they count.
 */
function chunkMsOf({ db, startMs, tapeEndMs: endMs }: World): number {
  const count = (table: (typeof TABLES)[number]) => {
    const edge = (order: string) =>
      columns({ id: schema[table].id })
        .prepare<[fromMs: TapeMs, toMs: TapeMs]>(
          db,
          `from "${table}" where timeMs between ? and ? order by timeMs ${order} limit 1`,
        )
        .get(startMs, endMs)?.id ?? 0
    return Math.abs(edge('desc') - edge('asc')) + 1
  }
  const rows = TABLES.reduce((n, t) => n + count(t), 0)
  const lengthMs = Math.floor(((endMs - startMs) * CHUNK_ROWS) / rows)
  return Math.min(CHUNK_MAX_MS, Math.max(CHUNK_MIN_MS, lengthMs))
}
