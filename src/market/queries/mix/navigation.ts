/** Navigation: main pairs and indexes. */

import type { TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { NavItem } from '../../../contract/records/mix.ts'
import { exchangeName, ownDbKeys } from '../../exchanges/exchanges.ts'
import { coinsOf } from '../../rows/coins.ts'
import { columns } from '../../rows/columns.ts'
import { lastPx } from '../../rows/trade-rows.ts'
import { type InstrumentRow, pxText, szText, trade } from '../../schema/schema.ts'
import { perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { MarketIndexQueries } from '../market-index/market-index-queries.ts'

type Language = 'cn' | 'en'

/** The main pair of each coin that has a price, then the indexes. */
export function* navigationOf(world: World, moment: Moment, language: Language): Slices<NavItem[]> {
  const pairs = yield* pairItems(world, moment, language)
  return [...pairs, ...(yield* indexItems(world, moment, language))]
}

function* pairItems(world: World, moment: Moment, language: Language): Slices<NavItem[]> {
  const keys = ownDbKeys(world)
  const items: NavItem[] = []
  for (const { asset, instrument } of coinsOf(world).values()) {
    yield
    const px = lastPx(world, instrument, moment.atMs)
    if (px === null) continue
    items.push({
      key: keys.get(instrument.id) ?? instrument.coin,
      key_type: 1,
      coin_show: asset.show,
      last: pxText(instrument, px),
      coin_name: language === 'en' ? asset.enName : asset.cnName,
      market_name: exchangeName(null, language),
      currency_str: instrument.quote,
      trades:
        moment.answers['nav-trades'] === 'empty' ? [] : newestTrades(world, instrument, moment),
    })
  }
  return items
}

function* indexItems(world: World, moment: Moment, language: Language): Slices<NavItem[]> {
  const indexes = yield* new MarketIndexQueries(world, moment).list()
  return indexes.map((index) => ({
    key: index.key,
    key_type: 3,
    coin_show: index.show,
    last: index.price,
    coin_name: language === 'en' ? index.en_name : index.cn_name,
    market_name: '',
    currency_str: 'USD',
    trades: [],
  }))
}

/** Trades shown per pair. */
const SHOWN = 5

function newestTrades(world: World, of: InstrumentRow, { atMs }: Moment): NavItem['trades'] {
  const rows = newestTradeRows(world).all(of.id, atMs, SHOWN)
  return rows.map(({ timeMs, px, sz, side }) => ({
    time: String(Math.floor(timeMs / 1000)),
    price: pxText(of, px),
    amount: szText(of, sz),
    side: side === 'B' ? 'buy' : 'sell',
  }))
}

const { timeMs, px, sz, side } = trade

const newestTradeRows = perWorld(({ db }) =>
  columns({ timeMs, px, sz, side }).prepare<[instrument: number, atMs: TapeMs, limit: number]>(
    db,
    `from trade where instrument = ? and timeMs <= ?
     order by timeMs desc, id desc limit ?`,
  ),
)
