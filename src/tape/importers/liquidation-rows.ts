import { UserError } from '../../user-error.ts'
import type { EventDraft, LiquidationData } from '../tape-event.ts'
import type { TableColumns } from './table-columns.ts'
import type { TardisMarkets } from './tardis-markets.ts'
import { readTimeMs } from './time-text.ts'

/**
 * Liquidations, a row each: `side` buy closed a short, sell a long.
 *
 * Their trades are in another file, if anywhere: without tids they wait for them
 * (`LiquidationJoin`).
 */
export class LiquidationRows {
  private readonly columns: TableColumns
  private readonly markets: TardisMarkets

  constructor(context: { columns: TableColumns; markets: TardisMarkets }) {
    this.columns = context.columns
    this.markets = context.markets
  }

  row(cells: readonly string[]): EventDraft[] {
    const cell = (name: string) => cells[this.columns.place(name)] ?? ''
    const [side, time] = [cell('side'), readTimeMs(cell('timestamp'), 'us')]
    if (side !== 'buy' && side !== 'sell')
      throw new UserError(`has side "${side}", known: buy and sell`)
    const market = this.markets.market(cell('exchange'), cell('symbol'))
    const px = this.markets.px(market, cell('price'))
    const sz = this.markets.sz(market, cell('amount'), px)
    const position = side === 'buy' ? 'short' : 'long'
    const data: LiquidationData = { position, sz, markPx: px, tids: [] }
    return [{ time, kind: 'liquidation', coin: market.coin, data }]
  }

  end(): EventDraft[] {
    return []
  }
}
