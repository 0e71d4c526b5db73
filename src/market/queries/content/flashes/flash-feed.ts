/** Feeds of industry flashes. */
import { later, MINUTE_MS, type TapeMs } from '../../../../clock/instant.ts'
import { oneSlice } from '../../../../clock/turns.ts'
import type { World } from '../../../world/world.ts'
import type { BilingualText } from '../bilingual-text.ts'
import { atIntervals, type ContentFeed } from '../content-feed.ts'
import { MarketView } from '../market-view.ts'

/** A flash in both languages. */
export interface Flash {
  /** `flashType`. */
  type: number
  title: BilingualText
  content: BilingualText
}

export type FlashText = Omit<Flash, 'type'>

/** A feed of one type, due once in an interval if there is something to report. */
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
      const beforeMs = due(world, atMs) ?? later(atMs, -everyMinutes * MINUTE_MS)
      return withType(type, write(new MarketView(world, atMs, beforeMs)))
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
  written && { type, ...written }
