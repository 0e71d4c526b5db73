/** Flashes about patterns of a chart: wicks, and levels that are crossed. */
import { DAY_MS, HOUR_MS } from '../../../../clock/durations.ts'
import { greater, lesser, raw, subtract, times, px as units } from '../../../../decimal/quantity.ts'
import { mulDiv, pow10 } from '../../../../decimal/scaled.ts'
import { changeOf, moveText, percentText, phrase, priceText } from '../bilingual-text.ts'
import { type MarketView, maxBy } from '../market-view.ts'
import { type FlashText, flashFeed } from './flash-feed.ts'

export const LEVEL_FEEDS = [flashFeed(3, 16, 30, wickText), flashFeed(4, 18, 20, levelText)]

/** Hundredths of a percent that a wick is long at least. */
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
    // A wick is most of what the price has moved.
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
    const at = units(Math.floor(raw(greater(px, before)) / step) * step)
    return lesser(px, before) < at ? [{ of, px, at, isUp: px > before }] : []
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

/** The greatest of 1, 2, 5, 10, 20, … that is not above. */
export function stepBelow(most: number): number {
  const unit = pow10(Math.max(0, Math.floor(Math.log10(Math.max(1, most)))))
  return ([5, 2, 1].find((one) => one * unit <= most) ?? 1) * unit
}
