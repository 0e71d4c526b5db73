/** Flashes about large trades and who took them. */

import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../../clock/instant.ts'
import { absolute, usd as dollars, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { columns } from '../../../rows/columns.ts'
import { fill, type InstrumentRow } from '../../../schema.ts'
import { perWorld } from '../../per-world.ts'
import { tradersOf } from '../../traders.ts'
import { phrase, price, size, usd, type Words } from '../phrase.ts'
import type { View } from '../view.ts'
import { flashColumn, type Written } from './flash.ts'

export const WHALE_FLASHES = [flashColumn(11, 22, 10, whale)]

/** From which a trade is a whale's. */
const WHALE = dollars(100_000_000_000)

function whale(view: View): Written | null {
  // From where the column looked last, so that no trade is told twice.
  const row = largest(view.world).get(view.beforeMs, view.atMs, WHALE)
  if (!row) return null
  const { instrument, trader, dir, px, sz, notional, positionAfter: after } = row
  const of = view.world.instruments[instrument] as InstrumentRow
  const parts = {
    coin: of.base,
    address: tradersOf(view.world).address(trader),
    did: DEEDS[dir] ?? { cn: '成交', en: 'traded' },
    size: size(of, sz),
    price: price(of, px),
    value: usd(notional),
    left:
      after === ZERO
        ? { cn: '操作后已无持仓', en: 'it is flat afterwards' }
        : phrase('操作后持仓{after}', 'it holds {after} afterwards', {
            after: size(of, absolute(after)),
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

/** By `dir` of the fill. */
const DEEDS: Record<string, Words> = {
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
const TAKEN = columns({
  instrument: f.instrument,
  trader: f.trader,
  dir: f.dir,
  px: f.px,
  sz: f.sz,
  notional: f.notional,
  positionAfter: f.positionAfter,
})

const largest = perWorld(({ db }) =>
  TAKEN.prepare<[afterMs: TapeMs, atMs: TapeMs, least: Usd]>(
    db,
    `from (select id from trade where timeMs > ? and timeMs <= ? and notional >= ?
      and liquidation is null order by notional desc, id limit 1) t
     join fill f on f.trade = t.id and f.crossed = 1`,
  ),
)
