/** What spot accounts are worth. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { add, type Px, type Sz, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { perWorld } from '../../../per-world.ts'
import { accountRowsAt, markPx } from '../../../rows/account-state.ts'
import { columns, present } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, type InstrumentRow, ledger } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** Values spot accounts as of one moment; prices are read once for all of them. */
export class SpotValuation {
  private readonly prices = new Map<number, Px>()

  constructor(
    private readonly world: World,
    private readonly atMs: TapeMs,
  ) {}

  /** Cash, and tokens at the mark price or else the last one. */
  valueOf(trader: number): Usd {
    const account = tradersOf(this.world).accountOf(trader, 'spot')
    if (account === undefined) return ZERO
    let worth = accountRowsAt(this.world, this.atMs).cash(account)
    for (const pair of pairsHeld(this.world).get(trader) ?? [])
      worth = add(worth, positionValue(this.balance(trader, pair), this.px(pair), pair))
    return worth
  }

  private balance(trader: number, { id }: InstrumentRow): Sz {
    const { byFill, byLedger } = statements(this.world)
    const fill = byFill.get(trader, id, this.atMs)
    const entry = byLedger.get(trader, id, this.atMs)
    if (!fill || !entry) return (fill ?? entry)?.balance ?? ZERO
    const gapMs = entry.timeMs - fill.timeMs || entry.id - fill.id
    return (gapMs > 0 ? entry : fill).balance
  }

  private px(pair: InstrumentRow): Px {
    const known = this.prices.get(pair.id)
    if (known !== undefined) return known
    const px = markPx(this.world, pair, this.atMs) ?? ZERO
    this.prices.set(pair.id, px)
    return px
  }
}

const BY_FILL = columns({ timeMs: fill.timeMs, id: fill.id, balance: fill.positionAfter })
const BY_LEDGER = columns({
  timeMs: ledger.timeMs,
  id: ledger.id,
  balance: present(ledger.positionAfter),
})
type At = [trader: number, instrument: number, atMs: TapeMs]

const statements = perWorld(({ db }) => {
  const last = `where trader = ? and instrument = ? and timeMs <= ?
    order by timeMs desc, id desc limit 1`
  return {
    byFill: BY_FILL.prepare<At>(db, `from fill ${last}`),
    byLedger: BY_LEDGER.prepare<At>(db, `from ledger ${last}`),
  }
})

/** The pairs whose token a trader ever holds. */
const pairsHeld = perWorld(({ db, instruments }) => {
  const held = new Map<number, InstrumentRow[]>()
  const rows = columns({ trader: fill.trader, id: fill.instrument }).prepare<[]>(
    db,
    `from fill union select trader, instrument from ledger where instrument is not null`,
  )
  for (const { trader, id } of rows.all()) {
    const instrument = instruments[id] as InstrumentRow
    if (instrument.kind !== 'spot') continue
    const pairs = held.get(trader) ?? []
    held.set(trader, [...pairs, instrument])
  }
  return held
})
