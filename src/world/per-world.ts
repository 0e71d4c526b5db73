import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { World } from './world.ts'

/** What becomes of a value when its world has grown; null has it made anew when it is asked for. */
export type Growth<T> = ((value: T, world: World) => T) | null

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
  const growIn = (world: World) => {
    const value = made.get(world)
    if (grow && value !== undefined) made.set(world, grow(value, world))
    else made.delete(world)
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

/** The same world with fewer coins: what is made once for each world is shared by both. */
export function viewOf(world: World, coins: Pick<World, 'listed' | 'byCoin'>): World {
  const view: World = Object.assign(Object.create(world), coins)
  wholes.set(view, wholeOf(world))
  return view
}

const wholes = new WeakMap<World, World>()

const wholeOf = (world: World): World => wholes.get(world) ?? world

/**
 * A world has grown: everything up to an instant is in its rows. What is kept of it grows with it,
 * a value in each slice; until this has ended nobody may look beyond where the world ended before.
 */
export function* growWorld(world: World, endMs: TapeMs): Slices<void> {
  if (endMs <= world.endMs) return
  const growing: { endMs: TapeMs } = world
  growing.endMs = endMs
  for (const grow of [...tasksOf(world)]) {
    yield
    grow(world)
  }
}

const tasksByWorld = new WeakMap<World, Set<(world: World) => void>>()

/** Of everything that holds rows of a world. */
function tasksOf(world: World): Set<(world: World) => void> {
  const known = tasksByWorld.get(world) ?? new Set()
  tasksByWorld.set(world, known)
  return known
}
