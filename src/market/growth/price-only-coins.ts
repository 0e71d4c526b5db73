/** Coins known only by prices go on as prices after the tape: no book, no trades, no traders. */
import { DAY_MS } from '../../clock/instant.ts'
import { px as price, raw, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import { traitsOf } from '../casting/history/past.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import type { Database } from '../world/database.ts'

/** Time between two prices, at whole multiples of it. */
const EVERY_MS = 10_000

/** Whether an instrument had a price when its world was cast, and no market: it has no past. */
export function isPriceOnly(db: Database, { id, firstPx }: InstrumentRow): boolean {
  if (firstPx === null) return false
  return db.query('select 1 from bars where instrument = ? limit 1').get(id) === null
}

/** Schedules the prices of coins from an instant on; each walks by itself. */
export function continuePrices(
  context: CastingContext,
  coins: readonly MarketState[],
  random: RandomSource,
  fromMs: number,
): void {
  const walks = coins.map((market) => new PriceWalk(market, random.fork(market.row.coin)))
  if (walks.length === 0) return
  const next = (timeMs: number) => {
    context.tasks.put(timeMs, () => {
      for (const walk of walks) walk.step(context, timeMs)
      next(timeMs + EVERY_MS)
    })
  }
  next((Math.floor(fromMs / EVERY_MS) + 1) * EVERY_MS)
}

class PriceWalk {
  private readonly sigma: number
  private log = 0
  private readonly mark: number
  private readonly oracle: number

  constructor(
    private readonly market: MarketState,
    private readonly random: RandomSource,
  ) {
    this.sigma = traitsOf(market.row).dailyVolatility * Math.sqrt(EVERY_MS / DAY_MS)
    this.mark = raw(market.mark ?? market.oracle)
    this.oracle = raw(market.oracle)
  }

  /** Writes the next price, if it has changed. */
  step({ markPrices }: CastingContext, timeMs: number): void {
    const { market, random, sigma } = this
    this.log += sigma * random.normal()
    const [mark, oracle] = [this.at(this.mark), this.at(this.oracle)]
    if (mark === market.mark && oracle === market.oracle) return
    market.mark = mark
    markPrices.mark(market, timeMs, mark, oracle)
  }

  private at(from: number) {
    const { market, log } = this
    const px = market.onTick(from * Math.exp(log))
    return px > ZERO ? px : price(1)
  }
}
