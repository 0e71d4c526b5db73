/** What spot accounts are worth. */
import { positionValue } from '../../accounting/margin.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx, rowsAt } from '../purse.ts'
import { tradersOf } from '../traders.ts'

/** Values spot accounts as of one moment; prices are read once for all of them. */
export class SpotWorth {
  private readonly prices = new Map<number, number>()

  constructor(
    private readonly world: World,
    private readonly atMs: number,
  ) {}

  /** Cash, and tokens at the mark price or else the last one, micro-dollars. */
  read(trader: number): number {
    const account = tradersOf(this.world).accountOf(trader, 'spot')
    if (account === undefined) return 0
    let worth = rowsAt(this.world, this.atMs).cash(account)
    for (const pair of pairsHeld(this.world).get(trader) ?? [])
      worth += positionValue(this.balance(trader, pair), this.px(pair), pair)
    return worth
  }

  private balance(trader: number, { id }: InstrumentRow): number {
    const { byFill, byLedger } = statements(this.world)
    const [fill] = byFill.values(trader, id, this.atMs) as BalanceValues[]
    const [entry] = byLedger.values(trader, id, this.atMs) as BalanceValues[]
    if (!fill || !entry) return (fill ?? entry)?.[2] ?? 0
    const entryIsLater = entry[0] > fill[0] || (entry[0] === fill[0] && entry[1] > fill[1])
    return (entryIsLater ? entry : fill)[2]
  }

  private px(pair: InstrumentRow): number {
    const known = this.prices.get(pair.id)
    if (known !== undefined) return known
    const px = markPx(this.world, pair, this.atMs) ?? 0
    this.prices.set(pair.id, px)
    return px
  }
}

type BalanceValues = [timeMs: number, id: number, balance: number]

const statements = perWorld(({ db }) => {
  const last = `where trader = ? and instrument = ? and timeMs <= ?
    order by timeMs desc, id desc limit 1`
  return {
    byFill: db.prepare(`select timeMs, id, positionAfter from fill ${last}`),
    byLedger: db.prepare(`select timeMs, id, positionAfter from ledger ${last}`),
  }
})

/** The pairs whose token a trader has at some time of the story. */
const pairsHeld = perWorld(({ db, instruments }) => {
  const held = new Map<number, InstrumentRow[]>()
  const rows = db
    .prepare(
      `select trader, instrument from fill union
       select trader, instrument from ledger where instrument is not null`,
    )
    .values() as [number, number][]
  for (const [trader, id] of rows) {
    const instrument = instruments[id] as InstrumentRow
    if (instrument.kind !== 'spot') continue
    const pairs = held.get(trader) ?? []
    held.set(trader, [...pairs, instrument])
  }
  return held
})
