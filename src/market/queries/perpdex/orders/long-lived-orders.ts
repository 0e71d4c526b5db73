/**
 * Long-lived orders: few at any instant, so they are kept in memory. In a continuing market, those
 * that ended hours ago are read again on request.
 */
import { HOUR_MS, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { LONG_LIVED, LONG_LIVED_MS, orders } from '../../../schema/schema.ts'
import { perWorld, SpanCache } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

export const PLACED = columns({
  oid: orders.oid,
  timeMs: orders.timeMs,
  endMs: orders.endMs,
  instrument: orders.instrument,
  side: orders.side,
  limitPx: orders.limitPx,
  origSz: orders.origSz,
  filledSz: orders.filledSz,
  triggerPx: orders.triggerPx,
})

/** An order with its placement and end. */
export type Placed = RowOf<typeof PLACED>

/** The long-lived orders of a world. */
export const longLivedOrders = perWorld(
  (world) => new LongLivedOrders(world),
  (known) => known.grown(),
)

/** Orders that ended after the tape stay in memory for so long. */
const KEPT_MS = 6 * HOUR_MS
/** Cached orders of hours read again. */
const CACHE_LIMIT = 20_000

export class LongLivedOrders {
  /** Ended while histories were packed: complete. */
  private readonly ofTape: readonly Placed[]
  /** Ended later, in order of their ends: those from `keptFromMs` on. */
  private ended: Placed[]
  /** Orders whose end may change as the world grows. */
  private open: Placed[]
  private endMs: TapeMs
  private keptFromMs: TapeMs
  /** Longest life of the orders no longer in memory. */
  private longestMs = 0
  private readonly hours: SpanCache<number, readonly Placed[]>

  constructor(
    private readonly world: World,
    private readonly keptMs = KEPT_MS,
  ) {
    const { endMs, packedEndMs } = world
    const rows = statements(world).placed.all(tapeMs(-1), endMs)
    const ended = rows.filter((row) => hasEnded(row, endMs))
    this.open = rows.filter((row) => !hasEnded(row, endMs))
    this.ofTape = ended.filter((row) => hasEnded(row, packedEndMs))
    this.ended = byEnd(ended.filter((row) => !hasEnded(row, packedEndMs)))
    this.endMs = endMs
    this.keptFromMs = packedEndMs
    this.hours = new SpanCache(world, CACHE_LIMIT, ({ length }) => length)
    this.letGo()
  }

  /** Adds the world's growth. */
  grown(): this {
    const { world, endMs: beforeMs } = this
    const { placed, byId } = statements(world)
    this.endMs = world.endMs
    // Open orders may have ended since.
    const known = this.open.map((row) => (row.endMs === null ? (byId.get(row.oid) ?? row) : row))
    const all = [...known, ...placed.all(beforeMs, world.endMs)]
    this.open = all.filter((row) => !hasEnded(row, world.endMs))
    const ended = all.filter((row) => hasEnded(row, world.endMs) && lifeOf(row) > LONG_LIVED_MS)
    this.ended.push(...byEnd(ended))
    this.letGo()
    return this
  }

  /** Those open at an instant. */
  at(atMs: TapeMs): Placed[] {
    const isOpen = ({ timeMs, endMs }: Placed) => timeMs <= atMs && (endMs === null || endMs > atMs)
    return [this.ofTape, this.ended, this.open, this.endedBefore(atMs)].flatMap((some) =>
      some.filter(isOpen),
    )
  }

  private letGo(): void {
    const beforeMs = tapeMs(this.endMs - this.keptMs)
    if (beforeMs <= this.keptFromMs) return
    const first = this.ended.findIndex(({ endMs }) => (endMs as number) >= beforeMs)
    const removed = this.ended.splice(0, first < 0 ? this.ended.length : first)
    this.keptFromMs = beforeMs
    for (const row of removed) this.longestMs = Math.max(this.longestMs, lifeOf(row))
  }

  /** Those open in the hour of an instant that are no longer in memory. */
  private endedBefore(atMs: TapeMs): readonly Placed[] {
    const { world, keptFromMs, longestMs } = this
    if (atMs >= keptFromMs || longestMs === 0) return []
    const hour = Math.floor(atMs / HOUR_MS)
    const fromMs = hour * HOUR_MS
    return this.hours.get(hour, Number.POSITIVE_INFINITY, () =>
      statements(world)
        .placed.all(tapeMs(fromMs - longestMs - 1), tapeMs(fromMs + HOUR_MS))
        .filter(({ endMs }) => {
          const isGone = endMs !== null && endMs > world.packedEndMs && endMs < keptFromMs
          return isGone && endMs >= fromMs
        }),
    )
  }
}

const byEnd = (rows: Placed[]) => rows.sort((a, b) => (a.endMs as number) - (b.endMs as number))

const lifeOf = ({ timeMs, endMs }: Placed): number => (endMs ?? 0) - timeMs

const hasEnded = ({ endMs }: Placed, atMs: TapeMs) => endMs !== null && endMs <= atMs

const statements = perWorld(({ db }) => ({
  placed: PLACED.prepare<[afterMs: TapeMs, toMs: TapeMs]>(
    db,
    `from orders where (${LONG_LIVED}) and timeMs > ? and timeMs <= ?`,
  ),
  byId: PLACED.prepare<[oid: number]>(db, 'from orders where oid = ?'),
}))
