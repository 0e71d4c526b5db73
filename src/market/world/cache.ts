import { LRUCache } from 'lru-cache'

/**
 * Values that are computed again when they are needed and not there: beyond a weight in all, those
 * that were used longest ago are forgotten. So what is made must follow from its key alone.
 */
export class Cache<K extends string | number, V> {
  /** A value may be null, which the library's types do not know. */
  private readonly values: LRUCache<K, V & object>

  /**
   * @param mostWeight of all values together
   * @param weigh what a value weighs, at least 1; each weighs 1 unless given
   */
  constructor(mostWeight: number, weigh: (value: V) => number = () => 1) {
    this.values = new LRUCache({
      maxSize: mostWeight,
      sizeCalculation: (value) => Math.max(1, Math.ceil(weigh(value))),
    })
  }

  /** What is there, else what `make` makes; a value that alone weighs too much is not kept. */
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

  /** A value that has been added to weighs more than it did. */
  reweigh(key: K): void {
    const value = this.values.get(key)
    if (value === undefined) return
    // Of a value that it has already it would not ask the weight again.
    this.values.delete(key)
    this.values.set(key, value)
  }

  delete(key: K): void {
    this.values.delete(key)
  }
}
