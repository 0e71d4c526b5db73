/** Flashes about the market as a whole: its index, breadth, headlines, the week ahead. */

import { DAY_MS, HOUR_MS } from '../../../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { runToEnd } from '../../../../clock/turns.ts'
import type { Px } from '../../../../decimal/quantity.ts'
import { coinsOfTape } from '../../../rows/coins.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import type { World } from '../../../world/world.ts'
import { ANNOUNCEMENT_FEEDS } from '../announcement-feeds.ts'
import { changeOf, joined, moveText, phrase, priceText, usdWords } from '../bilingual-text.ts'
import { newestPosts } from '../content-feed.ts'
import { MarketView } from '../market-view.ts'
import { NEWSFLASH_FEEDS } from '../newsflash-feeds.ts'
import { eventFeed, type FlashText, flashFeed } from './flash-feed.ts'

const WEEK_MINUTES = 7 * 24 * 60

export const OUTLOOK_FEEDS = [
  flashFeed(19, 10, 60, marketIndex),
  flashFeed(20, 19, WEEK_MINUTES, weekAhead),
  flashFeed(21, 27, 120, confidence),
  flashFeed(22, 28, 180, headlineDigest, headlines),
  eventFeed(23, 21, lastRelayedMs, relayedAnnouncement),
]

/** Market value of all coins together, micro-dollars; null while one has no price. */
function marketValue({ world, atMs }: MarketView, agoMs: number): bigint | null {
  let sum = 0n
  for (const { instrument: of } of coinsOfTape(world).values()) {
    const px = tradeHoursOf(world).pxBefore(of.id, later(atMs, 1 - agoMs))
    if (px === null) return null
    sum += (MarketView.cap({ of, px }) * 1_000_000n) / 10n ** BigInt(of.pxDecimals)
  }
  return sum
}

function marketIndex(view: MarketView): FlashText | null {
  const hours = Array.from({ length: 24 }, (_, at) => marketValue(view, (at + 1) * HOUR_MS))
  const [now, before] = [marketValue(view, 0), hours.at(-1) ?? null]
  if (now === null || before === null || before === 0n) return null
  const isHigh = hours.every((one) => one !== null && now > one)
  if (!isHigh && !hours.every((one) => one !== null && now < one)) return null
  const parts = {
    now: usdWords(now),
    side: isHigh ? { cn: '新高', en: 'high' } : { cn: '新低', en: 'low' },
    move: moveText(Number(((now - before) * 10_000n) / before)),
  }
  return {
    title: phrase(
      '总市值指数创24小时{side}',
      'Market value index at its {side} of 24 hours',
      parts,
    ),
    content: phrase(
      '总市值指数现为{now}，为过去24小时整点读数中的{side}，24小时{move}。',
      'The market value index stands at {now}, a {side} among the hourly readings of 24 hours, ' +
        '{move}.',
      parts,
    ),
  }
}

function weekAhead(view: MarketView): FlashText | null {
  const listed = view.markets.slice(0, 3).flatMap(({ of, px }) => {
    const week = view.tally(of, 7 * DAY_MS)
    const parts = { coin: of.base, price: priceText(of, px), ...weekRange(of, week) }
    return phrase(
      '{coin}现报{price}，上方关注{high}，下方关注{low}',
      '{coin} at {price} with {high} above and {low} below',
      parts,
    )
  })
  if (listed.length === 0) return null
  const list = joined(listed, '；', '; ')
  return {
    title: phrase('下周看点：主流币关键价位', 'Next week: levels to watch'),
    content: phrase(
      '下周看点：以过去7天高低点为参考，{list}。',
      'Levels to watch next week, by the highs and lows of the past 7 days: {list}.',
      { list },
    ),
  }
}

const weekRange = (of: InstrumentRow, { high, low }: { high: Px; low: Px }) => ({
  high: priceText(of, high),
  low: priceText(of, low),
})

function confidence(view: MarketView): FlashText | null {
  const coins = view.markets.filter(({ of }) => of.dex === '')
  const moves = coins.flatMap(({ of, px }) => changeOf(px, view.pxAgo(of, DAY_MS)) ?? [])
  if (moves.length === 0) return null
  const rising = moves.filter((one) => one > 0).length
  const parts = { rising, all: moves.length, index: Math.round((100 * rising) / moves.length) }
  return {
    title: phrase('大盘看多信心指数：{index}', 'Outlook confidence: {index}', parts),
    content: phrase(
      '大盘看多信心指数为{index}（满分100）：{all}个主要币种中有{rising}个24小时上涨。',
      'Outlook confidence is {index} of 100: {rising} of {all} major coins are up over 24 hours.',
      parts,
    ),
  }
}

const HEADLINES = 3

function headlines(world: World, atMs: TapeMs) {
  return newestPosts(world, NEWSFLASH_FEEDS, { beforeMs: atMs, count: HEADLINES })
}

function headlineDigest({ world, atMs }: MarketView): FlashText | null {
  const posts = runToEnd(headlines(world, atMs))
  if (posts.length === 0) return null
  const listed = posts.map(({ content: { title } }, at) =>
    phrase('{n}. {title}', '{n}. {title}', { n: at + 1, title }),
  )
  const list = joined(listed, '；', '; ')
  return {
    title: phrase('要闻摘要：{title}', 'Headlines: {title}', {
      title: posts[0]?.content.title ?? '',
    }),
    content: phrase('{list}。', '{list}.', { list }),
  }
}

/** How long after an exchange's announcement it is reported: at a second of no other flash. */
const RELAY_MS = 60_000

function lastRelayedMs(world: MarketView['world'], beforeMs: number): TapeMs | null {
  const due = ANNOUNCEMENT_FEEDS.map((feed) => feed.due(world, beforeMs - RELAY_MS))
  const known = due.filter((one) => one !== null)
  return known.length === 0 ? null : later(tapeMs(Math.max(...known)), RELAY_MS)
}

function relayedAnnouncement({ world, atMs }: MarketView): FlashText | null {
  const place = { beforeMs: atMs - RELAY_MS + 1, count: 1 }
  const [post] = runToEnd(newestPosts(world, ANNOUNCEMENT_FEEDS, place))
  return post?.timeMs === atMs - RELAY_MS ? post.content : null
}
