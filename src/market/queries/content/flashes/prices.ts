/** Flashes about prices: levels, moves, new highs and lows. */
import {
  DAY_MS,
  HOUR_MS,
  later,
  MINUTE_MS,
  type TapeMs,
  tapeMs,
} from '../../../../clock/instant.ts'
import { runToEnd } from '../../../../clock/turns.ts'
import { type Px, pow10 } from '../../../../decimal/quantity.ts'
import { coinsOfTape } from '../../../rows/coins.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { ANNOUNCEMENT_FEEDS } from '../announcement-feeds.ts'
import {
  changeOf,
  joined,
  moveText,
  phrase,
  priceText,
  spanText,
  usdWords,
} from '../bilingual-text.ts'
import { newestPosts, publishedAtMs } from '../content-feed.ts'
import { MarketView, maxBy, type PricedMarket } from '../market-view.ts'
import { NEWSFLASH_FEEDS } from '../newsflash-feeds.ts'
import { EventHours, eventFeed, type FlashText, flashFeed } from './flash-feed.ts'

/** Flashes about the market as a whole: its index, breadth, headlines, the week ahead. */
const WEEK_MINUTES = 7 * 24 * 60

export const OUTLOOK_FEEDS = [
  flashFeed(19, 10, 60, marketIndex),
  flashFeed(20, 19, WEEK_MINUTES, weekAhead),
  flashFeed(21, 27, 120, confidence),
  flashFeed(22, 28, 180, headlineDigest, headlines),
  eventFeed(23, 21, lastRelayedMs, relayedAnnouncement),
]

/** Total market value of all coins, micro-dollars; null while one has no price. */
function outlookValue({ world, atMs }: MarketView, agoMs: number): bigint | null {
  let sum = 0n
  for (const { instrument: of } of coinsOfTape(world).values()) {
    const px = tradeHoursOf(world).pxBefore(of.id, later(atMs, 1 - agoMs))
    if (px === null) return null
    sum += (MarketView.cap({ of, px }) * 1_000_000n) / 10n ** BigInt(of.pxDecimals)
  }
  return sum
}

function marketIndex(view: MarketView): FlashText | null {
  const hours = Array.from({ length: 24 }, (_, at) => outlookValue(view, (at + 1) * HOUR_MS))
  const [now, before] = [outlookValue(view, 0), hours.at(-1) ?? null]
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

/** Delay of a report after an exchange's announcement: at a second of no other flash. */
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

/** Price of the last trades by which sharp moves are judged, and the step between two looks. */
const SHARP_MS = 15 * MINUTE_MS
const SHARP_STEP_MS = 30_000
/** Hundredths of a percent at which a further flash is due, for coins of the highest leverage. */
const SHARP = [100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000]
const HIGHEST_LEVERAGE = 40
/** Coins that it reports. */
const SHARP_COINS = 4
const SHARP_FEED = 24
const SHARP_DAYS = 2

/** A flash right after a leading coin has passed a further threshold in some minutes. */
const sharpMoves = perWorld((world) => new SharpMoves(world))

class SharpMoves {
  private readonly hours: EventHours

  private readonly leading: InstrumentRow[]

  constructor(private readonly world: World) {
    const coins = world.instruments.filter(({ kind, dex }) => kind === 'perp' && dex === '')
    const byLeverage = coins.toSorted((a, b) => b.maxLeverage - a.maxLeverage)
    this.leading = byLeverage.slice(0, SHARP_COINS)
    this.hours = new EventHours(world, SHARP_FEED, (fromMs, untilMs) => {
      const found: TapeMs[] = []
      for (let atMs = fromMs; atMs < untilMs; atMs = later(atMs, SHARP_STEP_MS))
        if (this.sharpest(atMs) !== null) found.push(atMs)
      return found
    })
  }

  /** The newest one before an instant; null for none in days. */
  lastMs(beforeMs: number): TapeMs | null {
    return this.hours.lastMs(beforeMs, SHARP_DAYS)
  }

  /** Whether its moves are reported here. */
  covers({ id }: InstrumentRow): boolean {
    return this.leading.some((of) => of.id === id)
  }

  /** The coin that has just passed a threshold; null for none. */
  sharpest(atMs: TapeMs): { of: InstrumentRow; px: Px; before: Px; change: number } | null {
    const view = new MarketView(this.world, atMs)
    const passed = this.leading.flatMap((of) => {
      const [px, before] = [view.pxAgo(of, 0), view.pxAgo(of, SHARP_MS)]
      const change = px === null || before === null ? null : changeOf(px, before)
      if (px === null || before === null || change === null) return []
      if (!this.isFurther(of, atMs, change)) return []
      return [{ of, px, before, change }]
    })
    return maxBy(passed, ({ change }) => Math.abs(change))
  }

  /** Whether a change is beyond a threshold that those of the minutes before were not. */
  private isFurther(of: InstrumentRow, atMs: TapeMs, change: number): boolean {
    const scale = HIGHEST_LEVERAGE / Math.min(HIGHEST_LEVERAGE, Math.max(5, of.maxLeverage))
    const levelOf = (one: number) =>
      SHARP.findLastIndex((least) => Math.abs(one) >= least * Math.sqrt(scale))
    const level = levelOf(change)
    if (level < 0) return false
    for (let agoMs = SHARP_STEP_MS; agoMs <= SHARP_MS; agoMs += SHARP_STEP_MS) {
      const view = new MarketView(this.world, later(atMs, -agoMs))
      const [px, before] = [view.pxAgo(of, 0), view.pxAgo(of, SHARP_MS)]
      const then = px === null || before === null ? 0 : (changeOf(px, before) ?? 0)
      if (then < 0 === change < 0 && levelOf(then) >= level) return false
    }
    return true
  }
}

function sharpMove({ world, atMs }: MarketView): FlashText | null {
  const found = sharpMoves(world).sharpest(atMs)
  if (!found) return null
  const { of, px, before, change } = found
  const parts = {
    coin: of.base,
    span: spanText(SHARP_MS),
    before: priceText(of, before),
    price: priceText(of, px),
    move: moveText(change),
  }
  return {
    title: phrase('{coin}短时剧烈波动：{span}内{move}', '{coin} {move} within {span}', parts),
    content: phrase(
      '{coin}在{span}内由{before}变为{price}，{move}，请注意风险。',
      '{coin} went from {before} to {price} within {span}, {move}. Positions with high leverage ' +
        'are at risk.',
      parts,
    ),
  }
}

const LISTING_FEED = 25

const listingsOf = ({ meta }: World) =>
  meta.marketEvents.flatMap(({ event, fromMs }) =>
    event.kind === 'listing' ? [{ event, atMs: publishedAtMs(LISTING_FEED, fromMs) }] : [],
  )

function lastListingMs(world: World, beforeMs: number): TapeMs | null {
  const listed = listingsOf(world).findLast(({ atMs }) => atMs < beforeMs)
  return listed?.atMs ?? null
}

function newListing({ world, atMs }: MarketView): FlashText | null {
  const listed = listingsOf(world).find((one) => one.atMs === atMs)
  if (!listed) return null
  const parts = { coin: listed.event.coin, price: `$${listed.event.px}` }
  return {
    title: phrase('HL上线{coin}永续合约', 'HL lists the perpetual of {coin}', parts),
    content: phrase(
      'HL已上线{coin}永续合约，开盘价{price}，初期波动可能较大。',
      'HL has opened trading of the {coin} perpetual at {price}. Its first hour may be volatile.',
      parts,
    ),
  }
}

export const PRICE_FEEDS = [
  eventFeed(SHARP_FEED, 23, (world, beforeMs) => sharpMoves(world).lastMs(beforeMs), sharpMove),
  eventFeed(LISTING_FEED, 21, lastListingMs, newListing),
  flashFeed(0, 0, 30, priceNote),
  flashFeed(1, 1, 60, smallCap),
  flashFeed(2, 4, 15, newRecord),
  flashFeed(5, 23, 20, anomaly),
]

function priceNote(view: MarketView): FlashText | null {
  const seen = view.any('price note')
  if (!seen) return null
  const { of, px } = seen
  const day = view.tally(of, DAY_MS)
  const parts = {
    coin: of.base,
    price: priceText(of, px),
    move: moveText(changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0),
    turnover: usdWords(day.amount),
  }
  return {
    title: phrase('{coin}现报{price}', '{coin} trades at {price}', parts),
    content: phrase(
      '行情显示，{coin}现报{price}，24小时{move}，HL上24小时成交额为{turnover}。',
      '{coin} trades at {price}, {move} over 24 hours. Turnover of 24 hours on HL is {turnover}.',
      parts,
    ),
  }
}

/** Basis points of a large move, and of an anomalous one. */
const LARGE = 100
const ANOMALOUS = 50

/** Market value below which a coin counts as small, micro-dollars. */
const SMALL_CAP_USD = 1_000_000_000n * 1_000_000n

/** The largest move among small caps; where there are none, of the coin of the least value. */
function smallCap(view: MarketView): FlashText | null {
  const byCap = view.coins.sort((a, b) => (marketValue(a) < marketValue(b) ? -1 : 1))
  const small = byCap.filter((one) => marketValue(one) < SMALL_CAP_USD)
  const isSmall = small.length > 0
  const found = largestMove(view, isSmall ? small : byCap.slice(0, 1), HOUR_MS, LARGE)
  if (!found) return null
  const parts = {
    ...found.parts,
    cap: usdWords(marketValue(found.seen)),
    which: isSmall
      ? { cn: '小市值币种', en: 'small-cap coin' }
      : { cn: `${byCap.length}个币种中市值最小的`, en: `smallest of ${byCap.length} coins` },
  }
  return {
    subject: found.subject,
    title: phrase('{which}{coin} 1小时{move}', '{coin}, {which}, {move} in an hour', parts),
    content: phrase(
      '{which}{coin}在过去1小时内{move}，现报{price}，流通市值约{cap}。',
      '{coin} is {move} over the past hour, now at {price}. This {which} has a market value of ' +
        '{cap}.',
      parts,
    ),
  }
}

const ANOMALY_MS = 30 * MINUTE_MS

function anomaly(view: MarketView): FlashText | null {
  // Those of the leading coins are reported as soon as they are sharp.
  const others = view.markets.filter(({ of }) => !sharpMoves(view.world).covers(of))
  const found = largestMove(view, others, ANOMALY_MS, ANOMALOUS)
  if (!found) return null
  const parts = { ...found.parts, span: spanText(ANOMALY_MS), before: found.before }
  return {
    subject: found.subject,
    title: phrase('价格异动：{coin} {span}{move}', '{coin} {move} in {span}', parts),
    content: phrase(
      '监测到{coin}价格异动，过去{span}由{before}变为{price}，{move}。',
      'Unusual move: {coin} went from {before} to {price} over the past {span}, {move}.',
      parts,
    ),
  }
}

/** The market with the largest move of at least `least` hundredths of a percent. */
function largestMove(view: MarketView, list: PricedMarket[], spanMs: number, least: number) {
  const changed = ({ of, px }: PricedMarket) => changeOf(px, view.pxAgo(of, spanMs)) ?? 0
  const seen = maxBy(list, (one) => Math.abs(changed(one)))
  if (!seen || Math.abs(changed(seen)) < least) return null
  const { of, px } = seen
  const before = priceText(of, view.pxAgo(of, spanMs) ?? px)
  return {
    seen,
    before,
    subject: `${of.coin} ${changed(seen) > 0}`,
    parts: { coin: of.base, price: priceText(of, px), move: moveText(changed(seen)) },
  }
}

/** Market value in micro-dollars. */
const marketValue = (seen: PricedMarket): bigint =>
  (MarketView.cap(seen) * 1_000_000n) / BigInt(pow10(seen.of.pxDecimals))

/** Spans of price records; each contains the one before. */
const RECORD_SPANS = [DAY_MS, 3 * DAY_MS, 7 * DAY_MS]

function newRecord(view: MarketView): FlashText | null {
  const records = view.markets.flatMap(({ of, px }) => newExtreme(view, of, px) ?? [])
  const found = maxBy(records, ({ spanMs }) => spanMs)
  if (!found) return null
  const { of, px, isHigh } = found
  const parts = {
    coin: of.base,
    record: priceText(of, found.px),
    price: priceText(of, found.last),
    span: spanText(found.spanMs),
    side: isHigh ? { cn: '新高', en: 'high' } : { cn: '新低', en: 'low' },
    move: moveText(changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0),
  }
  return {
    title: phrase('{coin}创{span}{side}', '{coin} at its {side} of {span}', parts),
    content: phrase(
      '{coin}触及{record}，创{span}{side}，现报{price}，24小时{move}。',
      '{coin} touched {record}, its {side} of {span}. It trades at {price}, {move} over 24 hours.',
      parts,
    ),
  }
}

/** Whether prices since the feed's last due time are higher, or lower, than all before. */
function newExtreme(view: MarketView, of: InstrumentRow, last: Px) {
  const { newMs } = view
  const now = view.tally(of, newMs)
  if (now.n === 0) return null
  for (const isHigh of [true, false]) {
    let spanMs = 0
    for (const wider of RECORD_SPANS) {
      const before = view.tally(of, wider - newMs, newMs)
      if (
        view.pxAgo(of, wider) === null ||
        !(isHigh ? now.high > before.high : now.low < before.low)
      )
        break
      spanMs = wider
    }
    if (spanMs > 0) return { of, last, spanMs, isHigh, px: isHigh ? now.high : now.low }
  }
  return null
}
