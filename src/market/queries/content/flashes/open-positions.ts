/** Flashes about positions: open interest, entry cost, funding. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS, HOUR_MS, later, type TapeMs } from '../../../../clock/instant.ts'
import {
  format,
  mulDiv,
  raw,
  sum,
  type Usd,
  px as units,
  usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { entryPx, type NetPosition } from '../../../accounting/position.ts'
import { roundOff } from '../../../formatting/decimal-text.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import {
  fill,
  funding,
  type InstrumentRow,
  liquidation,
  MONEY_DECIMALS,
  RATE_DECIMALS,
} from '../../../schema/schema.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import {
  type BilingualText,
  growthOf,
  joined,
  moveText,
  percentText,
  phrase,
  priceText,
  sizeText,
  usdWords,
} from '../bilingual-text.ts'
import { coveredFromMs, publishedAtMs, publishedBeforeMs } from '../content-feed.ts'
import { type MarketView, maxBy } from '../market-view.ts'
import { EventHours, eventFeed, type FlashText, flashFeed } from './flash-feed.ts'

/** Flashes about liquidations, from the same rows as all other endpoints. */
const ORDER_FEED = 15

export const LIQUIDATION_FEEDS = [
  flashFeed(14, 15, 60, dayText),
  eventFeed(
    ORDER_FEED,
    25,
    (world, beforeMs) => largeLiquidations(world).hours.lastMs(beforeMs, REPORTED_DAYS),
    liquidationText,
  ),
]

const { timeMs, direction, sz, markPx, notional, instrument } = liquidation
const CLOSING = columns({ timeMs, instrument, direction, sz, markPx, notional })
type Direction = RowOf<typeof CLOSING>['direction']

/** A liquidation is reported if it is so many times the mean one of its coin in the day before. */
const LARGE_TIMES = 3n
/** And at least so large, micro-dollars. */
const LARGE_MIN = usd(10_000_000_000)
const REPORTED_DAYS = 7

/** The largest such liquidation of a half minute is reported, in its value by its coin's mean. */
const largeLiquidations = perWorld((world) => {
  const { least, within } = liquidationRows(world)
  /** Thresholds by instrument, of the hour of an instant. */
  const thresholds = new Cache<number, Map<number, bigint>>(HOURS_KEPT)
  const thresholdsAt = (atMs: TapeMs) =>
    thresholds.get(Math.floor(atMs / HOUR_MS), () => {
      const hourMs = later(atMs, -(atMs % HOUR_MS))
      const rows = least.all(later(hourMs, -DAY_MS), later(hourMs, -1))
      const mean = ({ notional, n }: (typeof rows)[0]) => BigInt(raw(notional)) / BigInt(n)
      return new Map(rows.map((row) => [row.instrument, LARGE_TIMES * mean(row)]))
    })
  const large = (afterMs: TapeMs, atMs: TapeMs) =>
    within.all(later(afterMs, 1), atMs, LARGE_MIN).filter(({ instrument, timeMs, notional }) => {
      const threshold = thresholdsAt(timeMs).get(instrument) ?? 0n
      return BigInt(raw(notional)) >= threshold
    })
  const reported = (fromMs: TapeMs, untilMs: TapeMs): TapeMs[] => {
    const [afterMs, atMs] = [fromMs, untilMs].map((ms) => publishedBeforeMs(ORDER_FEED, ms)) as [
      TapeMs,
      TapeMs,
    ]
    const published = large(afterMs, atMs).map(({ timeMs }) => publishedAtMs(ORDER_FEED, timeMs))
    return [...new Set(published)]
  }
  return { large, hours: new EventHours(world, ORDER_FEED, reported) }
})

const HOURS_KEPT = 1000

function liquidationText(view: MarketView): FlashText | null {
  const { large } = largeLiquidations(view.world)
  const rows = large(later(coveredFromMs(view.atMs), -1), view.atMs)
  const row = maxBy(rows, ({ notional }) => raw(notional))
  if (!row) return null
  const { instrument, direction, sz, markPx, notional } = row
  const of = view.world.instruments[instrument] as InstrumentRow
  const parts = {
    coin: of.base,
    side: SIDES[direction],
    size: sizeText(of, sz),
    value: usdWords(notional),
    price: priceText(of, markPx),
  }
  return {
    title: phrase('{coin}爆仓：{side}{value}', '{coin} {side} liquidated: {value}', parts),
    content: phrase(
      'HL上一笔{coin}{side}被强制平仓，数量{size}，价值{value}，标记价格{price}。',
      'A {side} of {size} was liquidated on HL, worth {value}, at a mark price of {price}.',
      parts,
    ),
  }
}

const SIDES: Record<Direction, BilingualText> = {
  long: { cn: '多单', en: 'long' },
  short: { cn: '空单', en: 'short' },
}

function dayText(view: MarketView): FlashText {
  const { sums } = liquidationRows(view.world)
  const rows = sums.all(later(view.atMs, 1 - DAY_MS), view.atMs)
  const of = (side: Direction) =>
    BigInt(raw(rows.find((row) => row.direction === side)?.notional ?? ZERO))
  const count = rows.reduce((total, { n }) => total + n, 0)
  if (count === 0)
    return {
      title: phrase('爆仓数据：24小时无爆仓', 'Liquidations: none in 24 hours'),
      content: phrase(
        '爆仓数据：过去24小时HL全网未发生强制平仓。',
        'No position was liquidated on HL over the past 24 hours.',
      ),
    }
  const parts = {
    count,
    total: usdWords(of('long') + of('short')),
    long: usdWords(of('long')),
    short: usdWords(of('short')),
  }
  return {
    title: phrase('爆仓数据：24小时{total}', 'Liquidations: {total} in 24 hours', parts),
    content: phrase(
      '过去24小时HL共{count}笔强制平仓，总额{total}，其中多单{long}，空单{short}。',
      '{count} positions were liquidated on HL over the past 24 hours, worth {total}: ' +
        'longs {long}, shorts {short}.',
      parts,
    ),
  }
}

const SUMS = columns({ direction, notional: sql<Usd>`sum(${notional})`, n: sql<number>`count(*)` })
type Span = [fromMs: TapeMs, toMs: TapeMs]

const MEANS = columns({
  instrument,
  notional: sql<Usd>`sum(${notional})`,
  n: sql<number>`count(*)`,
})

const liquidationRows = perWorld(({ db }) => ({
  within: CLOSING.prepare<[...Span, least: Usd]>(
    db,
    `from liquidation where timeMs between ? and ? and liquidation.notional >= ?
     order by timeMs, id`,
  ),
  least: MEANS.prepare<Span>(
    db,
    'from liquidation where timeMs between ? and ? group by instrument',
  ),
  sums: SUMS.prepare<Span>(db, 'from liquidation where timeMs between ? and ? group by direction'),
}))

const WEEK_MINUTES = 7 * 24 * 60

export const POSITION_FEEDS = [
  flashFeed(9, 6, WEEK_MINUTES, weeklyText),
  flashFeed(10, 14, 180, holdersInProfit),
  flashFeed(12, 26, 60, openInterestText),
  flashFeed(13, 0, 60, payments),
]

/** Values of the open interest of all perpetuals to the cent, now and before, largest first. */
function openInterestValues(view: MarketView, agoMs: number) {
  const cents = (of: InstrumentRow, ms: number) =>
    roundOff(view.interestUsd(of, ms), CENT_DIGITS) * 10n ** BigInt(CENT_DIGITS)
  const all = view.markets
    .filter(({ of }) => of.kind === 'perp')
    .map(({ of }) => ({ of, now: cents(of, 0), before: cents(of, agoMs) }))
    .sort((a, b) => (a.now < b.now ? 1 : a.now > b.now ? -1 : 0))
  const total = (of: 'now' | 'before') => all.reduce((sum, one) => sum + one[of], 0n)
  return { all, now: total('now'), before: total('before') }
}

/** Digits of micro-dollars beyond a cent. */
const CENT_DIGITS = MONEY_DECIMALS - 2

function weeklyText(view: MarketView): FlashText | null {
  const { all, now, before } = openInterestValues(view, 7 * DAY_MS)
  const change = growthOf(now, before)
  if (now === 0n || change === null) return null
  const listed = all.slice(0, 3).map((one) =>
    phrase('{coin}持仓{now}（{move}）', '{coin} {now} ({move})', {
      coin: one.of.base,
      now: usdWords(one.now),
      move: moveText(growthOf(one.now, one.before) ?? 0),
    }),
  )
  const parts = { now: usdWords(now), move: moveText(change), list: joined(listed, '，', ', ') }
  return {
    title: phrase('持仓周报：总持仓{now}', 'Weekly positions report: {now} open', parts),
    content: phrase(
      '合约持仓周报：HL全部永续合约持仓总额为{now}，较7天前{move}。其中{list}。',
      'Open interest of all perpetuals on HL stands at {now}, {move} from 7 days ago: {list}.',
      parts,
    ),
  }
}

function openInterestText(view: MarketView): FlashText | null {
  const { all, now, before } = openInterestValues(view, DAY_MS)
  const [first] = all
  if (!first || now === 0n) return null
  const parts = {
    now: usdWords(now),
    move: moveText(growthOf(now, before) ?? 0),
    coin: first.of.base,
    its: usdWords(first.now),
    part: percentText(Number((first.now * 10_000n) / now)),
  }
  return {
    title: phrase('合约总持仓量：{now}', 'Futures open interest: {now}', parts),
    content: phrase(
      'HL永续合约总持仓为{now}，较24小时前{move}；其中{coin}持仓{its}，占比{part}。',
      'Open interest of perpetuals on HL is {now}, {move} from 24 hours ago; ' +
        '{coin} makes up {its}, {part} of it.',
      parts,
    ),
  }
}

/** Share of a market's long positions in profit. */
function holdersInProfit(view: MarketView): FlashText | null {
  const seen = view.any('chips')
  if (seen?.of.kind !== 'perp') return null
  const { of, px } = seen
  const longs = statements(view.world)
    .holdings.all(view.atMs, of.id)
    .filter(({ sz }) => sz > ZERO)
  const held = { sz: sum(longs.map(({ sz }) => sz)), cost: sum(longs.map(({ cost }) => cost)) }
  if (held.sz === ZERO) return null
  const won = sum(longs.filter((one) => entryOf(of, one) < px).map(({ sz }) => sz))
  const parts = {
    coin: of.base,
    count: longs.length,
    entry: priceText(of, entryOf(of, held)),
    won: percentText(mulDiv(raw(won), 10_000, raw(held.sz))),
    price: priceText(of, px),
  }
  return {
    title: phrase('{coin}筹码分布：{won}多头盈利', '{coin}: {won} of longs in profit', parts),
    content: phrase(
      '{coin}共有{count}个多头持仓，平均开仓价{entry}，现价{price}下{won}的多头筹码处于盈利状态。',
      '{count} traders are long {coin} at an average of {entry}. At {price}, {won} of what they ' +
        'hold is in profit.',
      parts,
    ),
  }
}

const entryOf = (of: InstrumentRow, held: NetPosition) =>
  units(entryPx(held, of.szDecimals, MONEY_DECIMALS, of.pxDecimals))

function payments(view: MarketView): FlashText | null {
  const seen = view.any('funding')
  const row = seen && statements(view.world).rate.get(seen.of.id, view.atMs)
  if (!seen || !row) return null
  const { rate } = row
  const parts = {
    coin: seen.of.base,
    rate: `${format(raw(rate), RATE_DECIMALS - 2)}%`,
    payers: rate < ZERO ? { cn: '空头', en: 'shorts' } : { cn: '多头', en: 'longs' },
    paid: rate < ZERO ? { cn: '多头', en: 'longs' } : { cn: '空头', en: 'shorts' },
  }
  return {
    title: phrase('{coin}资金费率{rate}', '{coin} funding at {rate} an hour', parts),
    content: phrase(
      'HL上{coin}永续合约每小时资金费率为{rate}，{payers}向{paid}支付。',
      'The hourly funding rate of {coin} on HL is {rate}: {payers} pay {paid}.',
      parts,
    ),
  }
}

const f = alias(fill, 'f')

const statements = perWorld(({ db }) => ({
  holdings: columns({ sz: f.positionAfter, cost: f.costAfter }).prepare<
    [atMs: TapeMs, instrument: number]
  >(
    db,
    `from trader t join fill f on f.id =
     (select id from fill where trader = t.id and instrument = ?2 and timeMs <= ?1
      order by timeMs desc, id desc limit 1) where f.positionAfter <> 0`,
  ),
  rate: columns({ rate: funding.rate }).prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `from funding where instrument = ? and timeMs <= ? order by timeMs desc, charged desc limit 1`,
  ),
}))
