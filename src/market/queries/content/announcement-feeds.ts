/** Announcements of exchanges: listings and delistings. */

import { HOUR_MS, type TapeMs } from '../../../clock/instant.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import { EXCHANGES } from '../../exchanges/exchanges.ts'
import { coinsOfTape } from '../../rows/coins.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { type BilingualText, phrase } from './bilingual-text.ts'
import { atIntervals, type ContentFeed } from './content-feed.ts'
import { MarketView } from './market-view.ts'

// Listings and delistings of an exchange, in order: each pair is listed once, and removed, if at
// all, a whole round later, so that no exchange reverts a fresh announcement.

/** Interval of an exchange's announcements. */
const LISTING_MS = 24 * HOUR_MS

interface ListingChange {
  coin: string
  quote: string
  /** false for a delisting. */
  isListed: boolean
}

/** Quotes that no pair with a book has; enough that a round is longer than a month. */
const QUOTES = [
  ...['EUR', 'BTC', 'ETH', 'BNB', 'TRY', 'FDUSD', 'BRL', 'TUSD', 'GBP', 'JPY', 'AUD', 'EURC'],
  ...['CAD', 'CHF', 'SGD', 'KRW', 'INR', 'IDR', 'MXN', 'ARS', 'COP', 'PLN', 'UAH', 'ZAR', 'NGN'],
  ...['AED', 'SAR', 'VND', 'THB', 'PHP', 'CZK', 'RON', 'HUF', 'SEK', 'NOK', 'DKK', 'NZD', 'HKD'],
  ...['TWD', 'CLP', 'PEN', 'DAI'],
]
/** Share of pairs that are listed when the first round begins. */
const LISTED_PART = 0.3

/** The announcement of an instant's slot; null without any coin. */
function listingChange(world: World, exchange: string, atMs: TapeMs): ListingChange | null {
  const slotOf = (timeMs: TapeMs) => Math.floor(timeMs / LISTING_MS)
  const slot = slotOf(atMs) - slotOf(world.meta.historyStartMs)
  const pairs = pairsInOrder(world)(exchange)
  if (pairs.length === 0) return null
  const round = Math.floor(slot / pairs.length)
  const pair = pairs[slot - round * pairs.length] as (typeof pairs)[0]
  // A pair alternates between listed and delisted from round to round.
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

/** Coins of announcements: those of the coin list. */
const announceableCoins = (world: World): string[] =>
  [...coinsOfTape(world).values()]
    .filter(({ instrument }) => instrument.dex === '')
    .map(({ asset }) => asset.show)

export interface Announcement {
  title: BilingualText
  content: BilingualText
}

/** One feed per exchange, due at other seconds than the industry flashes. */
export const ANNOUNCEMENT_FEEDS: readonly ContentFeed<Announcement>[] = EXCHANGES.map(
  ({ key }, at) => ({
    number: 54 + at,
    due: atIntervals(54 + at, LISTING_MS),
    write: (world, atMs) => announcementText(new MarketView(world, atMs), key),
  }),
)

/** Account ids of the exchanges. */
const MEMBERS: Record<string, number> = {
  binance: 477,
  bitget: 1509,
  okex: 1001,
  bybit: 1002,
  gate: 1003,
  huobi: 1004,
}

/** The feeds of some accounts. */
export const announcementFeedsOf = (memberIds: readonly number[]): ContentFeed<Announcement>[] =>
  ANNOUNCEMENT_FEEDS.filter((_, at) => memberIds.includes(MEMBERS[EXCHANGES[at]?.key ?? ''] ?? -1))

/** By the key of an exchange. */
const NAMES: Record<string, BilingualText> = {
  binance: { cn: '币安', en: 'Binance' },
  okex: { cn: '欧易', en: 'OKX' },
  bybit: { cn: 'Bybit', en: 'Bybit' },
  gate: { cn: '芝麻开门', en: 'Gate' },
  huobi: { cn: '火币', en: 'HTX' },
  bitget: { cn: 'Bitget', en: 'Bitget' },
}

function announcementText(view: MarketView, exchange: string): Announcement | null {
  const change = listingChange(view.world, exchange, view.atMs)
  if (!change) return null
  const random = view.random(`announcement of ${exchange}`)
  const { coin, quote } = change
  const parts = {
    exchange: NAMES[exchange] ?? exchange,
    pair: `${coin}/${quote}`,
    coin,
    hours: random.between(2, 48),
  }
  return change.isListed ? listingText(parts) : delistingText(parts)
}

type TemplateParts = Record<string, string | number | BilingualText>

const listingText = (parts: TemplateParts): Announcement => ({
  title: phrase('{exchange}将上线{pair}现货交易对', '{exchange} will list {pair}', parts),
  content: phrase(
    '据官方公告，{exchange}将在{hours}小时后开放{pair}现货交易，{coin}充值现已开放。',
    '{exchange} will open spot trading of {pair} in {hours} hours. Deposits of {coin} are open.',
    parts,
  ),
})

const delistingText = (parts: TemplateParts): Announcement => ({
  title: phrase('{exchange}将下架{pair}现货交易对', '{exchange} will delist {pair}', parts),
  content: phrase(
    '据官方公告，{exchange}将在{hours}小时后下架{pair}现货交易对，{coin}的其他交易对不受影响。',
    '{exchange} will remove the spot pair {pair} in {hours} hours. Other pairs of {coin} stay.',
    parts,
  ),
})
