import { UserError } from '../../user-error.ts'
import type { EventDraft } from '../tape-event.ts'
import type { LeftOut } from './left-out.ts'
import { LevelGroups } from './level-groups.ts'
import type { TableColumns } from './table-columns.ts'
import type { TableRow } from './table-row.ts'
import type { TardisMarkets } from './tardis-markets.ts'
import { rowTimeMs } from './time-text.ts'

const COLUMNS = [
  ...['exchange', 'symbol', 'timestamp', 'local_timestamp', 'is_snapshot'],
  ...['side', 'price', 'amount'],
]

/** Rows of `incremental_book_L2`: those with one local time are one message. */
export class TardisLevels {
  private readonly markets: TardisMarkets
  private readonly groups: LevelGroups
  private readonly places: readonly number[]

  constructor(context: { columns: TableColumns; markets: TardisMarkets; leftOut: LeftOut }) {
    this.markets = context.markets
    this.groups = new LevelGroups(context.leftOut)
    this.places = COLUMNS.map((name) => context.columns.place(name))
  }

  row(row: TableRow): EventDraft[] {
    const [exchange = -1, symbol = -1, at = -1, message = -1, ...others] = this.places
    const [snapshot, side, price = '', amount = ''] = others.map((place) => row.cell(place))
    if (snapshot !== 'true' && snapshot !== 'false')
      throw new UserError(`has is_snapshot "${snapshot}", known: true and false`)
    if (side !== 'bid' && side !== 'ask')
      throw new UserError(`has side "${side}", known: bid and ask`)
    const market = this.markets.market(row, exchange, symbol)
    const px = this.markets.px(market, price)
    const sz = this.markets.sz(market, amount, px)
    return this.groups.put({
      coin: market.coin,
      time: rowTimeMs(row, at),
      message: row.cell(message),
      isSnapshot: snapshot === 'true',
      side,
      level: [px, sz, sz === '0' ? 0 : 1],
    })
  }

  end(): EventDraft[] {
    return this.groups.end()
  }
}
