/** A run of numbers spreads over places by this, the golden ratio of 32 bits. */
const SPREAD = 0x9e3779b1
const PLACES_MIN = 1024
/** So many numbers that follow one another have places that do. */
const RUN_BITS = 6
/** A set with fewer places grows to four times as many, a larger one to twice as many. */
const LARGE = 100_000

/**
 * A set of whole numbers of 0 or more, several times as fast as a `Set` of large ones, above all
 * where they come nearly in order: those that are near each other are so in memory.
 */
export class NumberSet {
  size = 0
  private places = new Float64Array(PLACES_MIN).fill(-1)

  /** Adds a number; false when it was there. */
  add(value: number): boolean {
    const at = this.place(value)
    if (this.places[at] === value) return false
    this.places[at] = value
    if (++this.size * 2 > this.places.length) this.grow()
    return true
  }

  has(value: number): boolean {
    return this.places[this.place(value)] === value
  }

  /** Where a number is, or would be. */
  private place(value: number): number {
    const { places } = this
    const last = places.length - 1
    const low = value >>> 0
    const run = (low >>> RUN_BITS) ^ ((value - low) / 0x100000000)
    const start = Math.imul(run, SPREAD) >>> (Math.clz32(last) + RUN_BITS)
    let at = (start << RUN_BITS) | (low & ((1 << RUN_BITS) - 1))
    while (places[at] !== value && places[at] !== -1) at = (at + 1) & last
    return at
  }

  private grow(): void {
    const values = this.places
    this.places = new Float64Array(values.length * (values.length < LARGE ? 4 : 2)).fill(-1)
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? -1
      if (value !== -1) this.places[this.place(value)] = value
    }
  }
}
