/** Flashes about positions: open interest, cost of what is held, funding. */

import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../../../clock/durations.ts'
import type { TapeMs } from '../../../../clock/instant.ts'
import { raw, sum, px as units, ZERO } from '../../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../../decimal/scaled.ts'
import { entryPx, type NetPosition } from '../../../accounting/position.ts'
import { roundOff } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import {
  fill,
  funding,
  type InstrumentRow,
  MONEY_DECIMALS,
  RATE_DECIMALS,
} from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import {
  growthOf,
  joined,
  moveText,
  percentText,
  phrase,
  priceText,
  usdWords,
} from '../bilingual-text.ts'
import type { MarketView } from '../market-view.ts'
import { type FlashText, flashFeed } from './flash-feed.ts'

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

/** Micro-dollars have so many digits beyond a cent. */
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

/** What traders are long of a market, and how much of that is in profit. */
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
