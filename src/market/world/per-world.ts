import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { isSlices, type Slices } from '../../clock/turns.ts'
import type { World } from './world.ts'

/**
 * What becomes of a value when its world has grown, in slices where that is much; null has it made
 * anew when it is asked for.
 */
export type Growth<T> = ((value: T, world: World) => T | Slices<T>) | null

/**
 * Something that is made once for each world, on first use, and forgotten with it.
 *
 * A world that grows keeps it: statements, what follows from the seed, and what was kept of spans
 * that had ended. What else holds rows says how it grows.
 */
export function perWorld<T>(
  make: (world: World) => T,
  ...[grow]: [] | [grow: Growth<T>]
): (world: World) => T {
  const made = new WeakMap<World, T>()
  function* growIn(world: World): Slices<void> {
    const value = made.get(world)
    if (!grow || value === undefined) return void made.delete(world)
    const grown = grow(value, world)
    made.set(world, isSlices(grown) ? yield* grown as Slices<T> : (grown as T))
  }
  return (asked) => {
    const world = wholeOf(asked)
    const known = made.get(world)
    if (known !== undefined) return known
    const value = make(world)
    made.set(world, value)
    if (grow !== undefined) tasksOf(world).add(growIn)
    return value
  }
}

/** Something that is made of the coins that are listed in a world, and of nothing else. */
export function perListing<T>(make: (world: World) => T): (world: World) => T {
  const made = new WeakMap<World, T>()
  return (world) => {
    const known = made.get(world)
    if (known !== undefined) return known
    const value = make(world)
    made.set(world, value)
    return value
  }
}

/** The same, of a market and of nobody in it: the world of one account has its market's. */
export function perMarket<T>(
  make: (world: World) => T,
  ...grow: [] | [grow: Growth<T>]
): (world: World) => T {
  const of = perWorld(make, ...grow)
  return (world) => of(markets.get(wholeOf(world)) ?? world)
}

/** A world in whose rows there is one account, on the market of another one. */
export function accountWorldOf(market: World, own: Pick<World, 'db' | 'packedEndMs'>): World {
  const world: World = Object.assign(Object.create(wholeOf(market)), own)
  markets.set(world, wholeOf(market))
  return world
}

const markets = new WeakMap<World, World>()

/** The same world with fewer coins: what is made once for each world is shared by both. */
export function viewOf(world: World, { listed, byCoin }: Pick<World, 'listed' | 'byCoin'>): World {
  const view: World = Object.assign(Object.create(world), { listed, byCoin })
  wholes.set(view, wholeOf(world))
  return view
}

const wholes = new WeakMap<World, World>()

const wholeOf = (world: World): World => wholes.get(world) ?? world

/**
 * A world has grown: everything up to an instant is in its rows. What is kept of it grows with it,
 * in slices; until this has ended nobody may look beyond where the world ended before.
 */
export function* growWorld(world: World, endMs: TapeMs): Slices<void> {
  const growing: { endMs: TapeMs } = world
  while (world.endMs < endMs) {
    growing.endMs = tapeMs(Math.min(endMs, world.endMs + STEP_MS))
    for (const grow of [...tasksOf(world)]) {
      yield
      yield* grow(world)
    }
  }
}

/** Rows of so long are added at once, so that each slice has few of them. */
const STEP_MS = 600_000

type GrowthTask = (world: World) => Slices<void>

const tasksByWorld = new WeakMap<World, Set<GrowthTask>>()

/** Of everything that holds rows of a world. */
function tasksOf(world: World): Set<GrowthTask> {
  const known = tasksByWorld.get(world) ?? new Set()
  tasksByWorld.set(world, known)
  return known
}
