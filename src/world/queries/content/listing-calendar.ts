/**
 * What an exchange lists and delists, in order: each pair is listed once, and removed, if at all,
 * a whole round later, so that no exchange takes back what it has just announced.
 */
import { HOUR_MS } from '../../../clock/durations.ts'
import type { TapeMs } from '../../../clock/instant.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import { Cache } from '../../cache.ts'
import { perWorld } from '../../per-world.ts'
import { coinsOfTape } from '../../rows/coins.ts'
import type { World } from '../../world.ts'

/** An exchange announces something once in so long. */
export const LISTING_MS = 4 * HOUR_MS

export interface ListingChange {
  coin: string
  quote: string
  /** Else it is removed. */
  isListed: boolean
}

/** Quotes that no pair with a book has. */
const QUOTES = ['EUR', 'BTC', 'ETH', 'BNB', 'TRY', 'FDUSD', 'BRL', 'TUSD', 'GBP', 'JPY', 'AUD']
/** Coins besides those of the world, so that a round is long. */
const OTHER_COINS = [
  ...['ADA', 'AVAX', 'DOT', 'NEAR', 'ATOM', 'APT', 'SUI', 'ARB', 'OP', 'TIA', 'INJ', 'SEI', 'FIL'],
  ...['AAVE', 'UNI', 'LDO', 'CRV', 'RUNE', 'STX', 'IMX', 'GRT', 'ALGO', 'HBAR', 'ICP', 'VET'],
]
/** Of all pairs, those that are listed already when the first round begins. */
const LISTED_PART = 0.3

/** What is announced in the slot of an instant; null without any coin. */
export function listingChange(world: World, exchange: string, atMs: TapeMs): ListingChange | null {
  const slotOf = (timeMs: TapeMs) => Math.floor(timeMs / LISTING_MS)
  const slot = slotOf(atMs) - slotOf(world.meta.historyStartMs)
  const pairs = pairsInOrder(world)(exchange)
  if (pairs.length === 0) return null
  const round = Math.floor(slot / pairs.length)
  const pair = pairs[slot - round * pairs.length] as (typeof pairs)[0]
  // From round to round a pair is there and gone by turns.
  return { coin: pair.coin, quote: pair.quote, isListed: pair.isFirstListed === (round % 2 === 0) }
}

/** The pairs of an exchange in the order in which they change. */
const pairsInOrder = perWorld((world) => {
  const exchanges = new Cache<string, readonly OrderedPair[]>(EXCHANGES_MAX)
  return (exchange: string) =>
    exchanges.get(exchange, () =>
      shuffled(randomSource(world.meta.seed, `listings of ${exchange}`), announceableCoins(world)),
    )
})

const EXCHANGES_MAX = 16

interface OrderedPair {
  coin: string
  quote: string
  isFirstListed: boolean
}

const shuffled = (random: RandomSource, coins: readonly string[]): OrderedPair[] =>
  coins
    .flatMap((coin) => QUOTES.filter((quote) => quote !== coin).map((quote) => ({ coin, quote })))
    .map(({ coin, quote }) => ({
      pair: { coin, quote, isFirstListed: !random.chance(LISTED_PART) },
      rank: random.unit(),
    }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ pair }) => pair)

/** Coins that an announcement can be about. */
function announceableCoins(world: World): string[] {
  const own = [...coinsOfTape(world).values()].filter(({ instrument }) => instrument.dex === '')
  return [...new Set([...own.map(({ asset }) => asset.show), ...OTHER_COINS])]
}
