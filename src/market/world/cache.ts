import { LRUCache } from 'lru-cache'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { isSlices, type Slices } from '../../clock/turns.ts'
import type { World } from './world.ts'

/** A weighted LRU cache of recomputable values. A value must depend on its key alone. */
export class Cache<K extends string | number, V> {
  /** A value may be null, which the library's types exclude. */
  private readonly values: LRUCache<K, V & object>

  /**
   * @param mostWeight limit of the total weight
   * @param weigh weight of a value, at least 1; default 1
   */
  constructor(mostWeight: number, weigh: (value: V) => number = () => 1) {
    this.values = new LRUCache({
      maxSize: mostWeight,
      sizeCalculation: (value) => Math.max(1, Math.ceil(weigh(value))),
    })
  }

  /** The cached value, else that of `make`; a value that exceeds the limit alone is not kept. */
  get(key: K, make: (key: K) => V): V {
    const known = this.find(key)
    return known === undefined ? this.put(key, make(key)) : known
  }

  find(key: K): V | undefined {
    return this.values.get(key)
  }

  put(key: K, value: V): V {
    this.values.set(key, value as V & object)
    return value
  }

  /** Updates the weight of a value that has grown. */
  reweigh(key: K): void {
    const value = this.values.get(key)
    if (value === undefined) return
    // For the same value it would not weigh again.
    this.values.delete(key)
    this.values.set(key, value)
  }

  delete(key: K): void {
    this.values.delete(key)
  }
}

/**
 * A cache of spans of a world. A span that was open at the world's end is evicted when the world
 * grows.
 */
export class SpanCache<K extends string | number, V> {
  private readonly values: Cache<K, V>
  /** Keys of open spans. */
  private readonly open = new Set<K>()
  private openAtMs: TapeMs

  constructor(
    private readonly world: Pick<World, 'endMs'>,
    mostWeight: number,
    weigh: (value: V) => number = () => 1,
  ) {
    this.values = new Cache(mostWeight, weigh)
    this.openAtMs = world.endMs
  }

  /** The cached value, else that of `make` for a span that ends before `untilMs`. */
  get(key: K, untilMs: number, make: (key: K) => V): V {
    const known = this.find(key)
    return known === undefined ? this.put(key, untilMs, make(key)) : known
  }

  find(key: K): V | undefined {
    if (this.openAtMs !== this.world.endMs) this.forgetOpen()
    return this.values.find(key)
  }

  /** @param knownMs the world's end when its reading began, if earlier */
  put(key: K, untilMs: number, value: V, knownMs: TapeMs = this.world.endMs): V {
    if (this.openAtMs !== this.world.endMs) this.forgetOpen()
    const isOpen = untilMs - 1 > knownMs
    // The world has grown meanwhile: the value may be incomplete.
    if (isOpen && knownMs !== this.world.endMs) return value
    if (isOpen) this.open.add(key)
    return this.values.put(key, value)
  }

  private forgetOpen(): void {
    for (const key of this.open) this.values.delete(key)
    this.open.clear()
    this.openAtMs = this.world.endMs
  }
}

/**
 * Updates a value when its world has grown, in slices where that is much; null recomputes it on the
 * next use.
 */
type Growth<T> = ((value: T, world: World) => T | Slices<T>) | null

/**
 * A value computed once per world, on first use, and evicted with it.
 *
 * A growing world keeps it: statements, seeded values, and finished spans. Other values with rows
 * must define their growth.
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
  return (requested) => {
    const world = wholeOf(requested)
    const known = made.get(world)
    if (known !== undefined) return known
    const value = make(world)
    made.set(world, value)
    if (grow !== undefined) tasksOf(world).add(growIn)
    return value
  }
}

/** A value that depends only on the listed coins of a world. */
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

/** The same for data of the market alone: the world of one account shares its market's. */
export function perMarket<T>(
  make: (world: World) => T,
  ...grow: [] | [grow: Growth<T>]
): (world: World) => T {
  const of = perWorld(make, ...grow)
  return (world) => of(markets.get(wholeOf(world)) ?? world)
}

/** A world with the rows of one account, on the market of another world. */
export function accountWorldOf(market: World, own: Pick<World, 'db' | 'packedEndMs'>): World {
  const world: World = Object.assign(Object.create(wholeOf(market)), own)
  markets.set(world, wholeOf(market))
  return world
}

const markets = new WeakMap<World, World>()

/** The same world with fewer coins; both share values of `perWorld`. */
export function viewOf(world: World, { listed, byCoin }: Pick<World, 'listed' | 'byCoin'>): World {
  const view: World = Object.assign(Object.create(world), { listed, byCoin })
  wholes.set(view, wholeOf(world))
  return view
}

const wholes = new WeakMap<World, World>()

const wholeOf = (world: World): World => wholes.get(world) ?? world

/**
 * Takes a world's growth: all rows up to an instant are complete. Cached values are updated in
 * slices; until the end, no reader may look beyond the world's previous end.
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

/** Span of rows added at once, which keeps slices short. */
const STEP_MS = 600_000

type GrowthTask = (world: World) => Slices<void>

const tasksByWorld = new WeakMap<World, Set<GrowthTask>>()

/** Of all values with rows of a world. */
function tasksOf(world: World): Set<GrowthTask> {
  const known = tasksByWorld.get(world) ?? new Set()
  tasksByWorld.set(world, known)
  return known
}
