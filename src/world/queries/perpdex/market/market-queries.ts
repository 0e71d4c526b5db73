/** Last prices and public trades. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { MarketFacts } from '../../../../contract/facts/perpdex/market.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { Trade } from '../../../../contract/records/fill.ts'
import { perWorld } from '../../../per-world.ts'
import { lastPx, TRADES, tradeRecords } from '../../../rows/trade-rows.ts'
import { type InstrumentRow, pxText } from '../../../schema.ts'
import type { World } from '../../../world.ts'

export class MarketQueries implements MarketFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  tickers(): { coin: string; price: string }[] {
    return this.world.listed.flatMap((instrument) => this.last(instrument) ?? [])
  }

  ticker(coin: string): { coin: string; price: string } | null {
    const instrument = this.world.byCoin.get(coin)
    return instrument ? this.last(instrument) : null
  }

  recentTrades(coin: string, limit: number): Trade[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const rows = recentTrades(this.world).all(instrument.id, this.moment.atMs, limit)
    return rows.map(tradeRecords(this.world).write)
  }

  isCoin(coin: string): boolean {
    return this.world.byCoin.has(coin)
  }

  private last(instrument: InstrumentRow): { coin: string; price: string } | null {
    const px = lastPx(this.world, instrument, this.moment.atMs)
    return px === null ? null : { coin: instrument.coin, price: pxText(instrument, px) }
  }
}

const recentTrades = perWorld(({ db }) =>
  TRADES.prepare<[instrument: number, atMs: TapeMs, limit: number]>(
    db,
    `from trade where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit ?`,
  ),
)
