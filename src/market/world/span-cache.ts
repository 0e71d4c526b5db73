import type { TapeMs } from '../../clock/instant.ts'
import { Cache } from './cache.ts'
import type { World } from './world.ts'

/**
 * A cache of what spans of a world hold. A span that the world did not reach the end of is
 * forgotten when the world grows.
 */
export class SpanCache<K extends string | number, V> {
  private readonly values: Cache<K, V>
  /** Keys of spans that had not ended. */
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

  /** What is there, else what `make` makes of a span that ends before `untilMs`. */
  get(key: K, untilMs: number, make: (key: K) => V): V {
    const known = this.find(key)
    return known === undefined ? this.put(key, untilMs, make(key)) : known
  }

  find(key: K): V | undefined {
    if (this.openAtMs !== this.world.endMs) this.forgetOpen()
    return this.values.find(key)
  }

  /** @param knownMs where the world ended when the reading of it began, if that was before */
  put(key: K, untilMs: number, value: V, knownMs: TapeMs = this.world.endMs): V {
    if (this.openAtMs !== this.world.endMs) this.forgetOpen()
    const isOpen = untilMs - 1 > knownMs
    // It has grown since: what has been read may lack what came meanwhile.
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
