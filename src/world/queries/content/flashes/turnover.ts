/** Flashes about what is traded: turnover, volume, flow of funds. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../clock/durations.ts'
import { raw, ZERO } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import {
  changeOf,
  moveText,
  phrase,
  priceText,
  sizeText,
  spanText,
  usdWords,
} from '../bilingual-text.ts'
import { type MarketView, maxBy, type PricedMarket } from '../market-view.ts'
import { type FlashText, flashFeed } from './flash-feed.ts'

export const TURNOVER_FEEDS = [
  flashFeed(6, 3, 30, turnoverText),
  flashFeed(7, 8, 20, volumeText),
  flashFeed(8, 20, 60, flowText),
]

/** Hundredths of the average that are worth reporting. */
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
