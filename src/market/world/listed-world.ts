/** Coins that a market was told to list are unknown until then. */
import type { TapeMs } from '../../clock/instant.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { perWorld, viewOf } from './per-world.ts'
import type { World } from './world.ts'

/** The world with the coins that are listed by an instant: itself when all are. */
export function worldAsOf(world: World, atMs: TapeMs): World {
  const { lastMs, views } = listingsOf(world)
  if (atMs >= lastMs) return world
  const listed = world.instruments.filter(({ coin }) => (listedMs(world, coin) ?? 0) <= atMs)
  const known = views.get(listed.length)
  if (known) return known
  const view = viewOf(world, {
    listed,
    byCoin: new Map(listed.map((row) => [row.coin, row])),
  })
  views.set(listed.length, view)
  return view
}

/** When a coin begins to be traded, where that is told; undefined for one of the tape. */
export const listedMs = (world: Pick<World, 'meta'>, coin: string): number | undefined =>
  world.meta.marketEvents.find(({ event }) => event.kind === 'listing' && event.coin === coin)
    ?.fromMs

/** The coins of the tape, whatever was listed since. */
export const instrumentsOfTape = perWorld((world): readonly InstrumentRow[] =>
  world.instruments.filter(({ coin }) => listedMs(world, coin) === undefined),
)

/** Those who are listed later come later in the list, so their count names a view. */
const listingsOf = perWorld(({ meta: { marketEvents } }) => {
  const instants = marketEvents.flatMap(({ event, fromMs }) =>
    event.kind === 'listing' ? fromMs : [],
  )
  const lastMs = Math.max(Number.NEGATIVE_INFINITY, ...instants)
  return { lastMs, views: new Map<number, World>() }
})
