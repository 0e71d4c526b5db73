/** Announcements of exchanges: what they list and delist. */
import { EXCHANGES } from '../../exchanges/exchanges.ts'
import { type BilingualText, phrase } from './bilingual-text.ts'
import { atIntervals, type ContentFeed } from './content-feed.ts'
import { LISTING_MS, listingChange } from './listing-calendar.ts'
import { MarketView } from './market-view.ts'

export interface Announcement {
  title: BilingualText
  content: BilingualText
}

/** A feed for each exchange. Their seconds are none of the industry flashes'. */
export const ANNOUNCEMENT_FEEDS: readonly ContentFeed<Announcement>[] = EXCHANGES.map(
  ({ key }, at) => ({
    number: 54 + at,
    due: atIntervals(54 + at, LISTING_MS),
    write: (world, atMs) => announcementText(new MarketView(world, atMs), key),
  }),
)

/** Ids of the exchanges' accounts, by exchange. */
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
