/** Flashes about liquidations, from the same rows as everywhere else. */

import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../../clock/durations.ts'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import { raw, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { type InstrumentRow, liquidation } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import { type BilingualText, phrase, priceText, sizeText, usdWords } from '../bilingual-text.ts'
import { coveredFromMs, publishedAtMs, publishedBeforeMs } from '../content-feed.ts'
import type { MarketView } from '../market-view.ts'
import { eventFeed, type FlashText, flashFeed } from './flash-feed.ts'

const ORDER_FEED = 15

export const LIQUIDATION_FEEDS = [
  flashFeed(14, 15, 60, dayText),
  eventFeed(ORDER_FEED, 25, lastPublishedMs, liquidationText),
]

const { direction, sz, markPx, notional, instrument } = liquidation
const CLOSING = columns({ instrument, direction, sz, markPx, notional })
type Direction = RowOf<typeof CLOSING>['direction']

/** Of half a minute with liquidations, the largest is reported. */
function lastPublishedMs(world: World, beforeMs: number): TapeMs | null {
  const row = statements(world).last.get(publishedBeforeMs(ORDER_FEED, beforeMs))
  return row && publishedAtMs(ORDER_FEED, row.timeMs)
}

function liquidationText(view: MarketView): FlashText | null {
  const row = statements(view.world).largest.get(coveredFromMs(view.atMs), view.atMs)
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
  const { sums } = statements(view.world)
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

const statements = perWorld(({ db }) => ({
  last: columns({ timeMs: liquidation.timeMs }).prepare<[beforeMs: TapeMs]>(
    db,
    'from liquidation where timeMs <= ? order by timeMs desc limit 1',
  ),
  largest: CLOSING.prepare<Span>(
    db,
    `from liquidation where timeMs between ? and ?
     order by liquidation.notional desc, id limit 1`,
  ),
  sums: SUMS.prepare<Span>(db, 'from liquidation where timeMs between ? and ? group by direction'),
}))
