import { add, fundingIndex, px, raw, subtract, sz, usd } from '../src/decimal/quantity.ts'
import { fundingBetween } from '../src/world/accounting/funding.ts'
import { maintenanceMargin, positionValue, unrealisedPnl } from '../src/world/accounting/margin.ts'
import type { FillRow, InstrumentRow, LedgerRow, LiquidationRow } from '../src/world/schema.ts'
import type { World } from '../src/world/world.ts'
import type { Plain } from './plain.ts'

type Fill = Pick<
  Plain<FillRow>,
  'id' | 'timeMs' | 'account' | 'trader' | 'instrument' | 'positionAfter' | 'costAfter'
> &
  Pick<Plain<FillRow>, 'cashAfter' | 'fundingAfter' | 'fundingIndex'>

/** Accounts, but those meant to be liquidated, whose equity is below maintenance at an instant. */
export function underWater(world: World, atMs: number): string[] {
  const { db, instruments } = world
  const equity = new Map<number, number>()
  const needs = new Map<number, number>()
  const positions = db
    .query<Fill, [number]>(
      `select f.* from (select distinct trader, instrument from position) p
       join fill f on f.id = (select id from fill where trader = p.trader
         and instrument = p.instrument and timeMs <= ? order by timeMs desc, id desc limit 1)`,
    )
    .all(atMs)
  for (const row of positions) {
    const of = instruments[row.instrument] as InstrumentRow
    const { markPx, index } = standing(world, of.id, atMs)
    const held = { sz: sz(row.positionAfter), cost: usd(row.costAfter) }
    const since = fundingBetween(held.sz, fundingIndex(row.fundingIndex), fundingIndex(index), of)
    const paid = add(usd(row.fundingAfter), since)
    const value = raw(subtract(unrealisedPnl(held, px(markPx), of), paid))
    const need = raw(maintenanceMargin(positionValue(held.sz, px(markPx), of), of.maxLeverage))
    equity.set(row.account, (equity.get(row.account) ?? 0) + value)
    needs.set(row.account, (needs.get(row.account) ?? 0) + need)
  }
  const roles = new Map(
    db
      .query<{ id: number; role: string }, []>(
        'select a.id, t.role from account a join trader t on t.id = a.trader',
      )
      .all()
      .map(({ id, role }) => [id, role]),
  )
  return [...equity].flatMap(([account, value]) => {
    if (roles.get(account) === 'liquidated') return []
    const left = value + cashOf(world, account, atMs) - (needs.get(account) ?? 0)
    return left < 0 ? [`account ${account} at ${atMs} by ${left}`] : []
  })
}

/** Liquidations of seeded traders that did not close exactly a position due at its mark price. */
export function oddLiquidations({ db }: World): string[] {
  return db
    .query<Plain<LiquidationRow> & { role: string }, []>(
      'select l.*, t.role from liquidation l join trader t on t.id = l.trader',
    )
    .all()
    .filter(({ role }) => role === 'liquidated')
    .flatMap((row) => {
      const sign = row.direction === 'long' ? 1 : -1
      const exact = row.startPosition === sign * row.sz && row.positionAfter === 0
      const px = row.liquidationPx ?? 0
      const gap = (sign * (px - row.markPx)) / row.markPx
      return exact && gap >= 0 && gap < 0.002 ? [] : [`liquidation ${row.id}, gap ${gap}`]
    })
}

function cashOf({ db }: World, account: number, atMs: number): number {
  const last = (table: string) =>
    db
      .query<Pick<Plain<LedgerRow>, 'timeMs' | 'id' | 'cashAfter'>, [number, number]>(
        `select timeMs, id, cashAfter from ${table} where account = ? and timeMs <= ?
         order by timeMs desc, id desc limit 1`,
      )
      .get(account, atMs)
  const [fill, move] = [last('fill'), last('ledger')]
  if (!fill || !move) return (fill ?? move)?.cashAfter ?? 0
  const later = fill.timeMs - move.timeMs || fill.id - move.id
  return (later > 0 ? fill : move).cashAfter
}

function standing({ db }: World, instrument: number, atMs: number) {
  const markPx = db
    .query<{ mark: number }, [number, number]>(
      'select mark from mark where instrument = ? and timeMs <= ? order by timeMs desc limit 1',
    )
    .get(instrument, atMs)?.mark
  const index = db
    .query<{ i: number }, [number, number]>(
      `select fundingIndex i from funding where instrument = ? and timeMs <= ?
       order by timeMs desc, charged desc limit 1`,
    )
    .get(instrument, atMs)?.i
  if (markPx === undefined) throw new Error(`no mark of instrument ${instrument} at ${atMs}`)
  return { markPx, index: index ?? 0 }
}
