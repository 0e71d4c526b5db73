/** Formatted figures of one coin at an instant. */
import { DAY_MS, HOUR_MS } from '../../../../clock/instant.ts'
import { format, raw, ZERO } from '../../../../decimal/quantity.ts'
import { fundingRateSeries } from '../../../rows/funding-charges.ts'
import { RATE_DECIMALS } from '../../../schema/schema.ts'
import {
  type BilingualText,
  changeOf,
  growthOf,
  moveText,
  percentText,
  priceText,
  sizeText,
  usdWords,
} from '../bilingual-text.ts'
import type { MarketView, PricedMarket } from '../market-view.ts'

export type CoinFigures = ReturnType<typeof coinFigures>

/**
 * Turnover and ranges cover 24 hours; `week` is seven days. Each is read on use: few texts have
 * all.
 */
export function coinFigures(view: MarketView, { of, px }: PricedMarket) {
  const day = once(() => view.tally(of, DAY_MS))
  const week = once(() => view.tally(of, 7 * DAY_MS))
  const interest = once(() => view.interestUsd(of))
  const rate = once(() => raw(fundingRateSeries(view.world).at(of, view.atMs) ?? ZERO))
  const move = (ms: number) => () => moveText(changeOf(px, view.pxAgo(of, ms)) ?? 0)
  const high = () => (day().n === 0 ? px : day().high)
  const low = () => (day().n === 0 ? px : day().low)
  const net = () => 2n * day().buyAmount - day().amount
  return {
    coin: of.base,
    price: priceText(of, px),
    hour: move(HOUR_MS),
    day: move(DAY_MS),
    week: move(7 * DAY_MS),
    high: () => priceText(of, high()),
    low: () => priceText(of, low()),
    weekHigh: () => priceText(of, week().n === 0 ? px : week().high),
    weekLow: () => priceText(of, week().n === 0 ? px : week().low),
    below: () => plain(percentText(changeOf(px, high()) ?? 0)),
    above: () => plain(percentText(changeOf(px, low()) ?? 0)),
    volume: () => plain(sizeText(of, day().size)),
    turnover: () => usdWords(day().amount),
    weekTurnover: () => usdWords(week().amount),
    busier: () => comparedWith(day().amount, view.tally(of, DAY_MS, DAY_MS).amount),
    bought: () => usdWords(day().buyAmount),
    sold: () => usdWords(day().amount - day().buyAmount),
    net: () => usdWords(net()),
    way: () =>
      net() < 0n ? { cn: '净流出', en: 'net outflow' } : { cn: '净流入', en: 'net inflow' },
    interest: () => usdWords(interest()),
    interestMove: () => growthText(growthOf(interest(), view.interestUsd(of, DAY_MS)) ?? 0),
    rate: () => plain(`${format(rate(), RATE_DECIMALS - 2)}%`),
    payers: () =>
      rate() < 0
        ? { cn: '空头向多头支付', en: 'shorts pay longs' }
        : { cn: '多头向空头支付', en: 'longs pay shorts' },
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The same in both languages. */
const plain = (text: string): BilingualText => ({ cn: text, en: text })

/** `增加1.23%`, `up 1.23%`: of an amount. */
function growthText(change: number): BilingualText {
  const { cn, en } = moveText(change)
  return { cn: cn.replace('上涨', '增加').replace('下跌', '减少'), en }
}

/** `较前一日增加12%`, `12% more than the day before`. */
function comparedWith(now: bigint, before: bigint): BilingualText {
  if (before === 0n) return { cn: '前一日没有成交', en: 'after a day without trades' }
  const percent = Number((200n * (now - before) + before) / (2n * before))
  if (percent === 0) return { cn: '与前一日持平', en: 'as much as the day before' }
  const size = Math.abs(percent)
  return percent > 0
    ? { cn: `较前一日增加${size}%`, en: `${size}% more than the day before` }
    : { cn: `较前一日减少${size}%`, en: `${size}% less than the day before` }
}
