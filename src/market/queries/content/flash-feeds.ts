/** All feeds of industry flashes. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../clock/instant.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../../../clock/instant.ts'
import {
  absolute,
  usd as dollars,
  format,
  greater,
  lesser,
  mulDiv,
  type Px,
  pow10,
  raw,
  type Sz,
  subtract,
  sum,
  sz,
  times,
  type Usd,
  px as units,
  ZERO,
} from '../../../decimal/quantity.ts'
import { notionalOf } from '../../accounting/position.ts'
import { columns } from '../../rows/columns.ts'
import { tradersOf } from '../../rows/traders.ts'
import { CROWD, fill, type InstrumentRow } from '../../schema/schema.ts'
import { perWorld } from '../../world/cache.ts'
import {
  type BilingualText,
  changeOf,
  moveText,
  percentText,
  phrase,
  priceText,
  sizeText,
  spanText,
  usdWords,
} from './bilingual-text.ts'
import {
  type ContentFeed,
  coveredFromMs,
  publishedAtMs,
  publishedBeforeMs,
} from './content-feed.ts'
import {
  EventHours,
  eventFeed,
  type Flash,
  type FlashText,
  flashFeed,
} from './flashes/flash-feed.ts'
import { LIQUIDATION_FEEDS, POSITION_FEEDS } from './flashes/open-positions.ts'
import { OUTLOOK_FEEDS, PRICE_FEEDS } from './flashes/prices.ts'
import { type MarketView, maxBy, type PricedMarket } from './market-view.ts'

/** Flashes about trading: turnover, volume, flow of funds. */
const TURNOVER_FEEDS = [
  flashFeed(6, 3, 30, turnoverText),
  flashFeed(7, 8, 20, volumeText),
  flashFeed(8, 20, 60, flowText),
]

/** Threshold in hundredths of the average. */
const HIGH_TURNOVER = 150n

function turnoverText(view: MarketView): FlashText | null {
  const hours = BigInt(DAY_MS / HOUR_MS)
  const listed = view.markets.flatMap(({ of, px }) => {
    const now = view.tally(of, HOUR_MS).amount
    const day = view.tally(of, DAY_MS, HOUR_MS).amount
    return day === 0n
      ? []
      : [{ of, px, now, usual: day / hours, times: (now * hours * 100n) / day }]
  })
  const found = maxBy(listed, ({ times }) => Number(times))
  if (!found || found.times < HIGH_TURNOVER) return null
  const { of, px, now, usual, times } = found
  const parts = {
    coin: of.base,
    now: usdWords(now),
    usual: usdWords(usual),
    times: format(Number(times), 2, 2),
    price: priceText(of, px),
  }
  return {
    subject: of.coin,
    title: phrase(
      '{coin}成交额异动：为均值的{times}倍',
      '{coin} turnover at {times} times its average',
      parts,
    ),
    content: phrase(
      'HL上{coin}过去1小时成交额达{now}，为此前24小时每小时均值{usual}的{times}倍，现报{price}。',
      '{coin} turned over {now} on HL in the past hour, {times} times the hourly average of the ' +
        '24 hours before ({usual}). It trades at {price}.',
      parts,
    ),
  }
}

const QUARTER_MS = 15 * MINUTE_MS

function volumeText(view: MarketView): FlashText | null {
  const quarters = DAY_MS / QUARTER_MS
  const times = ({ of }: PricedMarket) => {
    const day = view.tally(of, DAY_MS, QUARTER_MS).size
    const now = BigInt(raw(view.tally(of, QUARTER_MS).size))
    return day === ZERO ? 0n : (now * BigInt(quarters) * 100n) / BigInt(raw(day))
  }
  const found = maxBy(view.markets, (seen) => Number(times(seen)))
  if (!found || times(found) < HIGH_TURNOVER) return null
  const { of, px } = found
  const now = view.tally(of, QUARTER_MS)
  const parts = {
    coin: of.base,
    span: spanText(QUARTER_MS),
    volume: sizeText(of, now.size),
    times: format(Number(times(found)), 2, 2),
    price: priceText(of, px),
    move: moveText(changeOf(now.close, now.open) ?? 0),
  }
  return {
    subject: of.coin,
    title: phrase('成交量异动：{coin}放量', '{coin} volume surges', parts),
    content: phrase(
      'HL上{coin}过去{span}成交量为{volume}，为此前24小时均值的{times}倍，价格{move}，' +
        '现报{price}。',
      '{volume} changed hands on HL in the past {span}, {times} times the average of the 24 ' +
        'hours before. {coin} is {move} and trades at {price}.',
      parts,
    ),
  }
}

function flowText(view: MarketView): FlashText | null {
  const seen = view.any('fund flow')
  if (!seen) return null
  const { of } = seen
  const { amount, buyAmount } = view.tally(of, DAY_MS)
  const net = 2n * buyAmount - amount
  const parts = {
    coin: of.base,
    net: usdWords(net),
    bought: usdWords(buyAmount),
    sold: usdWords(amount - buyAmount),
    way: net < 0n ? { cn: '净流出', en: 'net outflow' } : { cn: '净流入', en: 'net inflow' },
  }
  return {
    title: phrase('{coin} 24小时资金{way}{net}', '{coin}: {way} of {net} in 24 hours', parts),
    content: phrase(
      '数据显示，过去24小时HL上{coin}主动买入{bought}，主动卖出{sold}，资金{way}{net}。',
      'Takers on HL bought {coin} for {bought} and sold for {sold} over the past 24 hours, ' +
        'a {way} of {net}.',
      parts,
    ),
  }
}

/** Flashes about chart patterns: wicks, and crossed levels. */
const LEVEL_FEEDS = [flashFeed(3, 16, 30, wickText), flashFeed(4, 18, 20, levelText)]

/** Minimum length of a wick in hundredths of a percent. */
const LONG_WICK = 30

function wickText(view: MarketView): FlashText | null {
  const wicks = view.markets.flatMap(({ of }) => {
    const { n, open, close, high, low } = view.tally(of, HOUR_MS)
    if (n === 0) return []
    const [upper, lower] = [
      subtract(high, greater(open, close)),
      subtract(lesser(open, close), low),
    ]
    const isUpper = upper >= lower
    const length = greater(upper, lower)
    // A wick must be most of the price's range.
    if (times(length, 2) < subtract(high, low)) return []
    const depth = mulDiv(raw(length), 10_000, raw(close))
    return depth < LONG_WICK ? [] : [{ of, depth, close, isUpper, tip: isUpper ? high : low }]
  })
  const found = maxBy(wicks, ({ depth }) => depth)
  if (!found) return null
  const { of, depth, isUpper } = found
  const parts = {
    coin: of.base,
    tip: priceText(of, found.tip),
    price: priceText(of, found.close),
    depth: percentText(depth),
    side: isUpper ? { cn: '上影线', en: 'upper' } : { cn: '下影线', en: 'lower' },
    reach: isUpper ? { cn: '最高', en: 'as high as' } : { cn: '最低', en: 'as low as' },
    back: isUpper ? { cn: '回落', en: 'fell back' } : { cn: '回升', en: 'came back' },
  }
  return {
    subject: `${of.coin} ${found.tip}`,
    title: phrase('插针信号：{coin}出现{side}', 'Wick: {coin} left a long {side} shadow', parts),
    content: phrase(
      '{coin}在过去1小时{reach}触及{tip}后{back}至{price}，{side}长度为{depth}。',
      '{coin} reached {reach} {tip} within the past hour and {back} to {price}; ' +
        'the {side} shadow is {depth} long.',
      parts,
    ),
  }
}

function levelText(view: MarketView): FlashText | null {
  const crossed = view.markets.flatMap(({ of, px }) => {
    const before = view.pxAgo(of, view.newMs)
    if (before === null) return []
    const step = stepBelow(Math.floor(raw(px) / 40))
    // The level that was passed last.
    const steps = Math.floor(raw(px) / step)
    const isUp = px > before
    const at = units((isUp ? steps : steps + 1) * step)
    const isCrossed = isUp ? before < at && at < px : before > at
    return isCrossed ? [{ of, px, at, isUp }] : []
  })
  const found = crossed.length === 0 ? null : view.random('level').pick(crossed)
  if (!found) return null
  const { of, px, isUp } = found
  const parts = {
    coin: of.base,
    level: priceText(of, found.at),
    move: moveText(changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0),
    price: priceText(of, px),
    broke: isUp ? { cn: '突破', en: 'broke above' } : { cn: '跌破', en: 'fell below' },
  }
  return {
    title: phrase('{coin}{broke}{level}', '{coin} {broke} {level}', parts),
    content: phrase(
      '{coin}{broke}关键价位{level}，现报{price}，24小时{move}。',
      '{coin} {broke} the key level of {level} and trades at {price}, {move} over 24 hours.',
      parts,
    ),
  }
}

/** The greatest of 1, 2, 5, 10, 20, … up to a limit. */
function stepBelow(most: number): number {
  const unit = pow10(Math.max(0, Math.floor(Math.log10(Math.max(1, most)))))
  return ([5, 2, 1].find((one) => one * unit <= most) ?? 1) * unit
}

/**
 * Flashes about options. The world has none: strikes lie around the price of the coin, the rest is
 * random.
 */
const OPTION_FEEDS = [
  flashFeed(16, 5, 240, weeklyMaxPain),
  flashFeed(17, 7, 120, openInterest),
  flashFeed(18, 24, 360, maxPain),
]

/** A coin with options, and strikes around its price; null without one. */
function strikesAround(view: MarketView, name: string) {
  const coins = view.markets.filter(({ of }) => of.kind === 'perp' && of.dex === '').slice(0, 2)
  if (coins.length === 0) return null
  const random = view.random(name)
  const { of, px } = random.pick(coins)
  const step = stepBelow(Math.floor(raw(px) / 40))
  const strike = (least: number, most: number) =>
    priceText(
      of,
      units(Math.max(1, Math.round(raw(px) / step) + random.between(least, most)) * step),
    )
  const lots = (least: number, most: number) => {
    const count = random.between(least, most)
    const one = notionalOf(px, sz(10 ** of.szDecimals), of)
    return { count, value: usdWords(BigInt(raw(one)) * BigInt(count)) }
  }
  return { of, px, random, strike, lots }
}

function weeklyMaxPain(view: MarketView): FlashText | null {
  const found = strikesAround(view, 'weekly options')
  if (!found) return null
  const { of, px, random, strike, lots } = found
  const { count, value } = lots(4_000, 30_000)
  const parts = {
    coin: of.base,
    count,
    value,
    strike: strike(-3, 3),
    price: priceText(of, px),
    ratio: format(random.between(45, 130), 2, 2),
  }
  return {
    title: phrase('本周{coin}期权最大痛点{strike}', '{coin} options: max pain {strike}', parts),
    content: phrase(
      '本周将有{count}张{coin}期权到期，名义价值{value}，看跌看涨比{ratio}，最大痛点{strike}，' +
        '现价{price}。',
      '{count} {coin} options worth {value} expire this week. The put/call ratio is {ratio}, max ' +
        'pain lies at {strike}, the price at {price}.',
      parts,
    ),
  }
}

function openInterest(view: MarketView): FlashText | null {
  const found = strikesAround(view, 'option interest')
  if (!found) return null
  const { of, px, random, strike, lots } = found
  const { count, value } = lots(300, 3_000)
  const isCall = random.chance(0.6)
  const parts = {
    coin: of.base,
    count,
    value,
    price: priceText(of, px),
    strike: isCall ? strike(1, 5) : strike(-5, -1),
    kind: isCall ? { cn: '看涨', en: 'call' } : { cn: '看跌', en: 'put' },
  }
  return {
    title: phrase('期权持仓异动：{coin} {strike}', '{coin} options: interest at {strike}', parts),
    content: phrase(
      '{coin}行权价{strike}的{kind}期权持仓1小时增加{count}张，名义价值{value}，现价{price}。',
      'Open interest in {coin} {kind} options at {strike} grew by {count} within an hour, worth ' +
        '{value}. {coin} trades at {price}.',
      parts,
    ),
  }
}

function maxPain(view: MarketView): FlashText | null {
  const found = strikesAround(view, 'max pain')
  if (!found) return null
  const { of, px, strike } = found
  const parts = {
    coin: of.base,
    price: priceText(of, px),
    week: strike(-2, 2),
    month: strike(-4, 4),
    quarter: strike(-6, 6),
  }
  return {
    title: phrase('{coin}最大痛点数据', '{coin} max pain by expiry', parts),
    content: phrase(
      '{coin}期权最大痛点：本周{week}，本月{month}，本季{quarter}；现价{price}。',
      'Max pain of {coin} options: this week {week}, this month {month}, this quarter {quarter}. ' +
        'The price is {price}.',
      parts,
    ),
  }
}

/** Flashes about large orders of takers: the value of all their fills. */
const WHALE_FEED = 11

const WHALE_FEEDS = [
  eventFeed(
    WHALE_FEED,
    22,
    (world, beforeMs) => whaleOrders(world).hours.lastMs(beforeMs, WHALE_DAYS),
    whaleText,
  ),
]

/** Minimum value of a whale's order. */
const WHALE_USD = dollars(100_000_000_000)
/** An order is reported if it is the largest of so long. */
const WHALE_MS = 10 * MINUTE_MS
const WHALE_DAYS = 7

/** Orders of takers that are at least so large; an order is filled within one instant. */
const whaleOrders = perWorld((world) => {
  const within = ORDERS.prepare<[afterMs: TapeMs, atMs: TapeMs, least: Usd]>(
    world.db,
    `from fill f where f.timeMs > ? and f.timeMs <= ? and f.crossed = 1 and f.trader != ${CROWD}
       and f.liquidation is null
     group by f.oid having sum(f.notional) >= ? order by f.timeMs, f.oid`,
  )
  const reported = (fromMs: TapeMs, untilMs: TapeMs): TapeMs[] => {
    const [afterMs, atMs] = [fromMs, untilMs].map((ms) => publishedBeforeMs(WHALE_FEED, ms)) as [
      TapeMs,
      TapeMs,
    ]
    const orders = within.all(later(afterMs, -WHALE_MS), atMs, WHALE_USD)
    const largest = orders.filter(({ timeMs, notional }) => {
      if (timeMs <= afterMs) return false
      const isBefore = (ms: TapeMs) => ms < timeMs && ms >= timeMs - WHALE_MS
      return !orders.some((one) => isBefore(one.timeMs) && one.notional >= notional)
    })
    return [...new Set(largest.map(({ timeMs }) => publishedAtMs(WHALE_FEED, timeMs)))]
  }
  return { within, hours: new EventHours(world, WHALE_FEED, reported) }
})

function whaleText(view: MarketView): FlashText | null {
  const orders = whaleOrders(view.world).within.all(
    later(coveredFromMs(view.atMs), -1),
    view.atMs,
    WHALE_USD,
  )
  const order = maxBy(orders, ({ notional }) => raw(notional))
  if (!order) return null
  const fills = orderFills(view.world).all(order.oid)
  const [first, last] = [fills[0], fills.at(-1)] as [(typeof fills)[0], (typeof fills)[0]]
  const of = view.world.instruments[last.instrument] as InstrumentRow
  const { positionAfter: after } = last
  const parts = {
    coin: of.base,
    address: tradersOf(view.world).address(last.trader),
    did: tradeVerb(first.startPosition, after, last.dir),
    size: sizeText(of, sum(fills.map(({ sz }) => sz))),
    price: pricesText(of, fills),
    value: usdWords(order.notional),
    left:
      after === ZERO
        ? { cn: '操作后已无持仓', en: 'it is flat afterwards' }
        : phrase('操作后持仓{after}', 'it holds {after} afterwards', {
            after: sizeText(of, absolute(after)),
          }),
  }
  return {
    title: phrase('巨鲸动向：{value} {coin}', 'Whale trades {coin} for {value}', parts),
    content: phrase(
      '监测到地址{address}以{price}{did}{size}，价值{value}，{left}。',
      'Address {address} {did} {size} at {price}, worth {value}; {left}.',
      parts,
    ),
  }
}

/** One price, or the lowest and the highest of an order. */
function pricesText(of: InstrumentRow, fills: readonly { px: Px }[]): BilingualText {
  const prices = fills.map(({ px }) => px)
  const [low, high] = [prices.reduce(lesser), prices.reduce(greater)]
  if (low === high) return priceText(of, low)
  const parts = { low: priceText(of, low), high: priceText(of, high) }
  return phrase('{low}至{high}', '{low} to {high}', parts)
}

/** By the `dir` of the last fill, unless the order as a whole changes the side of the position. */
function tradeVerb(before: Sz, after: Sz, dir: string): BilingualText {
  if (before > ZERO && after < ZERO) return TRADE_VERBS['Long > Short'] as BilingualText
  if (before < ZERO && after > ZERO) return TRADE_VERBS['Short > Long'] as BilingualText
  return TRADE_VERBS[dir] ?? { cn: '成交', en: 'traded' }
}

/** By `dir` of the fill. */
const TRADE_VERBS: Record<string, BilingualText> = {
  'Open Long': { cn: '开多', en: 'opened a long of' },
  'Close Long': { cn: '平多', en: 'closed a long of' },
  'Open Short': { cn: '开空', en: 'opened a short of' },
  'Close Short': { cn: '平空', en: 'closed a short of' },
  'Long > Short': { cn: '多翻空', en: 'turned from long to short with' },
  'Short > Long': { cn: '空翻多', en: 'turned from short to long with' },
  Buy: { cn: '买入', en: 'bought' },
  Sell: { cn: '卖出', en: 'sold' },
}

const f = alias(fill, 'f')
const ORDERS = columns({ oid: f.oid, timeMs: f.timeMs, notional: sql<Usd>`sum(${f.notional})` })
const ORDER_FILLS = columns({
  instrument: f.instrument,
  trader: f.trader,
  dir: f.dir,
  px: f.px,
  sz: f.sz,
  startPosition: f.startPosition,
  positionAfter: f.positionAfter,
})

const orderFills = perWorld(({ db }) =>
  ORDER_FILLS.prepare<[oid: number]>(
    db,
    'from fill f where f.oid = ? and f.crossed = 1 order by id',
  ),
)

export const FLASH_FEEDS: readonly ContentFeed<Flash>[] = [
  ...PRICE_FEEDS,
  ...LEVEL_FEEDS,
  ...TURNOVER_FEEDS,
  ...POSITION_FEEDS,
  ...WHALE_FEEDS,
  ...LIQUIDATION_FEEDS,
  ...OPTION_FEEDS,
  ...OUTLOOK_FEEDS,
]
