/** Flashes about what is traded: turnover, volume, flow of funds. */
import { raw, ZERO } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import { changeOf, move, phrase, price, size, span, usd } from '../phrase.ts'
import { DAY_MS, greatest, HOUR_MS, MINUTE_MS, type Seen, type View } from '../view.ts'
import { flashColumn, type Written } from './flash.ts'

export const TURNOVER_FLASHES = [
  flashColumn(6, 3, 30, turnover),
  flashColumn(7, 8, 20, volume),
  flashColumn(8, 20, 60, flow),
]

/** Hundredths of the average that are worth telling. */
const MUCH = 150n

function turnover(view: View): Written | null {
  const hours = BigInt(DAY_MS / HOUR_MS)
  const told = view.markets.flatMap(({ of, px }) => {
    const now = view.tally(of, HOUR_MS).amount
    const day = view.tally(of, DAY_MS, HOUR_MS).amount
    return day === 0n
      ? []
      : [{ of, px, now, usual: day / hours, times: (now * hours * 100n) / day }]
  })
  const found = greatest(told, ({ times }) => Number(times))
  if (!found || found.times < MUCH) return null
  const { of, px, now, usual, times } = found
  const parts = {
    coin: of.base,
    now: usd(now),
    usual: usd(usual),
    times: format(Number(times), 2, 2),
    price: price(of, px),
  }
  return {
    title: phrase(
      '{coin}成交额异动：为均值的{times}倍',
      '{coin} turnover at {times} times its average',
      parts,
    ),
    content: phrase(
      '{coin}过去1小时成交额达{now}，为此前24小时每小时均值{usual}的{times}倍，现报{price}。',
      '{coin} turned over {now} in the past hour, {times} times the hourly average of the 24 ' +
        'hours before ({usual}). It trades at {price}.',
      parts,
    ),
  }
}

const QUARTER_MS = 15 * MINUTE_MS

function volume(view: View): Written | null {
  const quarters = DAY_MS / QUARTER_MS
  const times = ({ of }: Seen) => {
    const day = view.tally(of, DAY_MS, QUARTER_MS).size
    const now = BigInt(raw(view.tally(of, QUARTER_MS).size))
    return day === ZERO ? 0n : (now * BigInt(quarters) * 100n) / BigInt(raw(day))
  }
  const found = greatest(view.markets, (seen) => Number(times(seen)))
  if (!found || times(found) < MUCH) return null
  const { of, px } = found
  const now = view.tally(of, QUARTER_MS)
  const parts = {
    coin: of.base,
    span: span(QUARTER_MS),
    volume: size(of, now.size),
    times: format(Number(times(found)), 2, 2),
    price: price(of, px),
    move: move(changeOf(now.close, now.open) ?? 0),
  }
  return {
    title: phrase('成交量异动：{coin}放量', '{coin} volume surges', parts),
    content: phrase(
      '{coin}过去{span}成交量为{volume}，为此前24小时均值的{times}倍，价格{move}，现报{price}。',
      '{volume} changed hands in the past {span}, {times} times the average of the 24 hours ' +
        'before. {coin} is {move} and trades at {price}.',
      parts,
    ),
  }
}

function flow(view: View): Written | null {
  const seen = view.any('fund flow')
  if (!seen) return null
  const { of } = seen
  const { amount, buyAmount } = view.tally(of, DAY_MS)
  const net = 2n * buyAmount - amount
  const parts = {
    coin: of.base,
    net: usd(net),
    bought: usd(buyAmount),
    sold: usd(amount - buyAmount),
    way: net < 0n ? { cn: '净流出', en: 'net outflow' } : { cn: '净流入', en: 'net inflow' },
  }
  return {
    title: phrase('{coin} 24小时资金{way}{net}', '{coin}: {way} of {net} in 24 hours', parts),
    content: phrase(
      '数据显示，过去24小时{coin}主动买入{bought}，主动卖出{sold}，资金{way}{net}。',
      'Takers bought {coin} for {bought} and sold for {sold} over the past 24 hours, ' +
        'a {way} of {net}.',
      parts,
    ),
  }
}
