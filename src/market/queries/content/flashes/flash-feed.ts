/** Feeds of industry flashes. */
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type TapeMs } from '../../../../clock/instant.ts'
import { oneSlice } from '../../../../clock/turns.ts'
import { Cache } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import type { BilingualText } from '../bilingual-text.ts'
import { atIntervals, type ContentFeed, publishedAtMs } from '../content-feed.ts'
import { MarketView } from '../market-view.ts'

/** A flash in both languages. */
export interface Flash {
  /** `flashType`. */
  type: number
  title: BilingualText
  content: BilingualText
}

export interface FlashText extends Omit<Flash, 'type'> {
  /** The fact that a further flash would only repeat; none for figures that are always new. */
  subject?: string
}

/**
 * A feed of one type, due once in an interval if there is something to report: not the subject that
 * it had to report the time before.
 */
export function flashFeed(
  number: number,
  type: number,
  everyMinutes: number,
  write: (view: MarketView) => FlashText | null,
  read: NonNullable<ContentFeed<Flash>['read']> = nothing,
): ContentFeed<Flash> {
  const due = atIntervals(number, everyMinutes * MINUTE_MS)
  return {
    number,
    due,
    read,
    write: (world, atMs) => {
      const dueBefore = (ms: TapeMs) => due(world, ms) ?? later(ms, -everyMinutes * MINUTE_MS)
      const beforeMs = dueBefore(atMs)
      const text = write(new MarketView(world, atMs, beforeMs))
      if (text?.subject === undefined) return withType(type, text)
      const before = write(new MarketView(world, beforeMs, dueBefore(beforeMs)))
      return text.subject === before?.subject ? null : withType(type, text)
    },
  }
}

const nothing = () => oneSlice(() => undefined)

/** A feed that is due at events. */
export function eventFeed(
  number: number,
  type: number,
  due: (world: World, beforeMs: number) => TapeMs | null,
  write: (view: MarketView) => FlashText | null,
): ContentFeed<Flash> {
  return { number, due, write: (world, atMs) => withType(type, write(new MarketView(world, atMs))) }
}

const withType = (type: number, written: FlashText | null): Flash | null =>
  written && { type, title: written.title, content: written.content }

/** Hours of events kept in memory. */
const HOURS_KEPT = 1000

/** Instants at which a feed reports events: found by the hour, up to the latest request. */
export class EventHours {
  private readonly hours = new Cache<number, { untilMs: TapeMs; found: TapeMs[] }>(HOURS_KEPT)

  /** @param find those of [fromMs, untilMs) within an hour, ascending */
  constructor(
    private readonly world: World,
    private readonly number: number,
    private readonly find: (fromMs: TapeMs, untilMs: TapeMs) => TapeMs[],
  ) {}

  /** The newest one before an instant, at most some days; null for none. */
  lastMs(beforeMs: number, days: number): TapeMs | null {
    const { historyStartMs } = this.world.meta
    const firstMs = Math.max(historyStartMs, beforeMs - days * DAY_MS)
    let hourMs = beforeMs - 1 - ((beforeMs - 1) % HOUR_MS)
    for (; hourMs > firstMs - HOUR_MS; hourMs -= HOUR_MS) {
      const found = this.within(hourMs, beforeMs).findLast((timeMs) => timeMs < beforeMs)
      if (found !== undefined) return found < historyStartMs ? null : found
    }
    return null
  }

  /** Those of an hour, as far as they are known before an instant. */
  private within(hourMs: number, beforeMs: number): TapeMs[] {
    const untilMs = publishedAtMs(this.number, Math.min(beforeMs, hourMs + HOUR_MS))
    const firstMs = publishedAtMs(this.number, hourMs)
    const hour = this.hours.get(hourMs / HOUR_MS, () => ({ untilMs: firstMs, found: [] }))
    if (hour.untilMs < untilMs) {
      hour.found.push(...this.find(hour.untilMs, untilMs))
      hour.untilMs = untilMs
    }
    return hour.found
  }
}
