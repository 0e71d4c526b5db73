/** Flashes about large trades and who took them. */

import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../../clock/instant.ts'
import { absolute, usd as dollars, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { CROWD, fill, type InstrumentRow } from '../../../schema.ts'
import { type BilingualText, phrase, priceText, sizeText, usdWords } from '../bilingual-text.ts'
import type { MarketView } from '../market-view.ts'
import { type FlashText, flashFeed } from './flash-feed.ts'

export const WHALE_FEEDS = [flashFeed(11, 22, 10, whaleText)]

/** From which a trade is a whale's. */
const WHALE_USD = dollars(100_000_000_000)

function whaleText(view: MarketView): FlashText | null {
  // From where the feed looked last, so that no trade is reported twice.
  const row = largestTrade(view.world).get(view.beforeMs, view.atMs, WHALE_USD)
  if (!row) return null
  const { instrument, trader, dir, px, sz, notional, positionAfter: after } = row
  const of = view.world.instruments[instrument] as InstrumentRow
  const parts = {
    coin: of.base,
    address: tradersOf(view.world).address(trader),
    did: TRADE_VERBS[dir] ?? { cn: '成交', en: 'traded' },
    size: sizeText(of, sz),
    price: priceText(of, px),
    value: usdWords(notional),
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
const TAKEN = columns({
  instrument: f.instrument,
  trader: f.trader,
  dir: f.dir,
  px: f.px,
  sz: f.sz,
  notional: f.notional,
  positionAfter: f.positionAfter,
})

const largestTrade = perWorld(({ db }) =>
  TAKEN.prepare<[afterMs: TapeMs, atMs: TapeMs, least: Usd]>(
    db,
    `from (select id from trade where timeMs > ? and timeMs <= ? and notional >= ?
      and liquidation is null and iif(side = 'B', buyer, seller) != ${CROWD}
      order by notional desc, id limit 1) t
     join fill f on f.trade = t.id and f.crossed = 1`,
  ),
)
