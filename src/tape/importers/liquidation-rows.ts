import { UserError } from '../../user-error.ts'
import type { EventDraft, LiquidationData } from '../tape-event.ts'
import type { TableColumns } from './table-columns.ts'
import type { TableRow } from './table-row.ts'
import type { TardisMarkets } from './tardis-markets.ts'
import { rowTimeMs } from './time-text.ts'

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

  row(row: TableRow): EventDraft[] {
    const place = (name: string) => this.columns.place(name)
    const [side, time] = [row.cell(place('side')), rowTimeMs(row, place('timestamp'))]
    if (side !== 'buy' && side !== 'sell')
      throw new UserError(`has side "${side}", known: buy and sell`)
    const market = this.markets.market(row, place('exchange'), place('symbol'))
    const px = this.markets.px(market, row.cell(place('price')))
    const sz = this.markets.sz(market, row.cell(place('amount')), px)
    const position = side === 'buy' ? 'short' : 'long'
    const data: LiquidationData = { position, sz, markPx: px, tids: [] }
    return [{ time, kind: 'liquidation', coin: market.coin, data }]
  }

  end(): EventDraft[] {
    return []
  }
}
