/**
 * Flashes about options. The world has none: strikes lie around the price of the coin, the rest is
 * random.
 */
import { raw, sz, px as units } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import { notionalOf } from '../../../accounting/position.ts'
import { phrase, priceText, usdWords } from '../bilingual-text.ts'
import type { MarketView } from '../market-view.ts'
import { stepBelow } from './chart-levels.ts'
import { type FlashText, flashFeed } from './flash-feed.ts'

export const OPTION_FEEDS = [
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
