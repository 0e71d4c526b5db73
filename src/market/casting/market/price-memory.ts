/** What everybody can know of an instrument's last days: prices, and how they vary. */

/** Minutes that are remembered. */
const MINUTES = 2_048
const MINUTES_PER_DAY = 1_440
/** Variance is a mean over about so many minutes. */
const MEAN_OVER = 600

export class PriceMemory {
  private readonly closes = new Float64Array(MINUTES)
  private count = 0
  private variance: number

  /** @param dailyVolatility of a day's logarithmic return, until some have been seen */
  constructor(dailyVolatility: number) {
    this.variance = dailyVolatility ** 2 / MINUTES_PER_DAY
  }

  /** The price at the end of a minute, price units. */
  add(px: number): void {
    const before = this.closes[(this.count + MINUTES - 1) % MINUTES] as number
    if (before > 0 && px > 0) {
      // One jump must not rule a whole day.
      const move = Math.min(Math.abs(Math.log(px / before)), 6 * Math.sqrt(this.variance))
      this.variance += (move ** 2 - this.variance) / MEAN_OVER
    }
    this.closes[this.count++ % MINUTES] = px
  }

  /** The prices at the ends of the last minutes, oldest first, of at most so many. */
  lastCloses(minutes: number): number[] {
    const length = Math.min(minutes, MINUTES, this.count)
    const first = this.count - length
    const closes = Array.from({ length }, (_, at) => this.closes[(first + at) % MINUTES] as number)
    return closes.filter((px) => px > 0)
  }

  /** Logarithmic return over the last minutes up to a price; 0 where less is known. */
  returnOver(minutes: number, px: number): number {
    const back = Math.min(minutes, MINUTES - 1, this.count)
    const before = this.closes[(this.count - back + MINUTES) % MINUTES] as number
    return before > 0 && px > 0 ? Math.log(px / before) : 0
  }

  /** Standard deviation of a logarithmic return over so much time. */
  deviation(ms: number): number {
    return Math.sqrt((this.variance * ms) / 60_000)
  }
}
