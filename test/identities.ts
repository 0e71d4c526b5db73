import type { Database } from 'bun:sqlite'
import { fundingIndex, raw, sz, usd } from '../src/decimal/quantity.ts'
import { fundingBetween } from '../src/world/accounting/funding.ts'
import { afterFill, wording } from '../src/world/accounting/position.ts'
import type { FillRow, InstrumentRow, LedgerRow } from '../src/world/schema.ts'
import type { World } from '../src/world/world.ts'
import { type Plain, plain } from './plain.ts'
import { bothSides, orders, positions, spot, twaps } from './row-identities.ts'

/** What docs/world.md promises, checked over every row; each check answers with its breaches. */
export const IDENTITIES: Record<string, (world: World) => string[]> = {
  'every trade has two fills, opposite and alike': bothSides,
  'startPosition, cost, PnL and funding chain from fill to fill': chains,
  'cash and realised PnL chain through fills and ledger': cash,
  'positions of a coin sum to zero and their longs are the open interest': sums,
  'PnL of all adds up to the cost of what is held': pnl,
  'funding paid is funding received': funding,
  'orders are filled by their fills, within their limits and their life': orders,
  'a position row is the sum of its fills': positions,
  'a TWAP has executed its slices': twaps,
  'spot accounts are never overdrawn': spot,
}

type Fill = Omit<Plain<FillRow>, 'crossed' | 'isolated'> & { crossed: number; isolated: number }

/** Walks all fills of each (trader, instrument), with the token transfers in between. */
function chains({ db, instruments }: World): string[] {
  const breaches: string[] = []
  const states = new Map<
    string,
    { sz: number; cost: number; funding: number; index: number; open: number }
  >()
  for (const row of story(db)) {
    if (row.instrument === null) continue
    const of = instruments[row.instrument] as InstrumentRow
    const key = `${row.trader} ${row.instrument}`
    const last = states.get(key) ?? { sz: 0, cost: 0, funding: 0, index: 0, open: 0 }
    if ('delta' in row) {
      states.set(key, { ...last, sz: last.sz + (row.sz ?? 0), cost: row.costAfter ?? 0 })
      if (row.positionAfter !== last.sz + (row.sz ?? 0)) breaches.push(`ledger ${row.id}`)
      continue
    }
    const held = { sz: sz(last.sz), cost: usd(last.cost) }
    const signed = sz(row.side === 'B' ? row.sz : -row.sz)
    const change = plain(afterFill(held, signed, usd(row.notional)))
    const paid = of.kind === 'spot' ? 0 : fundingPaid(last.sz, last.index, row.fundingIndex, of)
    const opens = last.sz === 0 || (change.sz !== 0 && change.sz < 0 !== last.sz < 0)
    const open = of.kind === 'perp' && opens ? last.funding + paid : last.open
    const right =
      row.startPosition === last.sz &&
      row.positionAfter === change.sz &&
      row.costAfter === change.cost &&
      row.closedPnl === change.closedPnl &&
      row.fundingAfter === last.funding + paid &&
      row.fundingAtOpen === open &&
      row.fundingIndex >= (of.kind === 'spot' ? 0 : Number.NEGATIVE_INFINITY)
    const word =
      of.kind === 'spot' ? (row.side === 'B' ? 'Buy' : 'Sell') : wording(sz(last.sz), sz(change.sz))
    const said = row.dir === word || (row.liquidation !== null && row.dir.startsWith('Liquidated'))
    if (!right || !said) breaches.push(`fill ${row.id} ${row.dir}`)
    states.set(key, {
      sz: change.sz,
      cost: change.cost,
      funding: row.fundingAfter,
      index: row.fundingIndex,
      open,
    })
  }
  return breaches
}

function cash({ db, instruments }: World): string[] {
  const breaches: string[] = []
  const purses = new Map<number, { cash: number; realised: number; timeMs: number; id: number }>()
  for (const row of story(db)) {
    const last = purses.get(row.account) ?? { cash: 0, realised: 0, timeMs: 0, id: 0 }
    let { cash: now, realised } = last
    if ('delta' in row) now += row.usd
    else {
      const is = instruments[row.instrument]?.kind
      const paid = row.side === 'B' ? row.notional : -row.notional
      now += (is === 'spot' ? -paid : row.closedPnl) - row.fee
      realised += row.closedPnl
      if (row.realisedAfter !== realised) breaches.push(`realised of fill ${row.id}`)
    }
    if (row.cashAfter !== now) breaches.push(`cash of row ${row.id}`)
    if (row.id <= last.id) breaches.push(`row ${row.id} is out of order in its account`)
    purses.set(row.account, { cash: now, realised, timeMs: row.timeMs, id: row.id })
  }
  return breaches
}

function sums({ db, instruments }: World): string[] {
  const breaches: string[] = []
  const held = new Map<string, number>()
  const longs = new Map<number, number>()
  type Row = Pick<
    Plain<FillRow>,
    'trader' | 'instrument' | 'startPosition' | 'positionAfter' | 'trade'
  > & { interestAfter: number }
  const rows = db.query<Row, []>(
    `select f.*, t.interestAfter from fill f join trade t on t.id = f.trade
     order by f.timeMs, f.id`,
  )
  let [trade, instrument, interest] = [0, 0, 0]
  const close = () => {
    if (trade > 0 && instruments[instrument]?.kind === 'perp' && longs.get(instrument) !== interest)
      breaches.push(`open interest after trade ${trade}`)
  }
  for (const row of rows.iterate()) {
    if (row.trade !== trade) close()
    ;({ trade, instrument, interestAfter: interest } = row)
    held.set(`${row.trader} ${row.instrument}`, row.positionAfter)
    const grown = Math.max(row.positionAfter, 0) - Math.max(row.startPosition, 0)
    longs.set(row.instrument, (longs.get(row.instrument) ?? 0) + grown)
  }
  close()
  for (const { id, coin, kind } of instruments) {
    const total = [...held]
      .filter(([key]) => key.endsWith(` ${id}`))
      .reduce((sum, [, sz]) => sum + sz, 0)
    if (kind === 'perp' && total !== 0) breaches.push(`positions of ${coin} sum to ${total}`)
  }
  return breaches
}

function pnl({ db, instruments }: World): string[] {
  const last = latest(db)
  return instruments
    .filter(({ kind }) => kind === 'perp')
    .flatMap(({ id, coin }) => {
      const cost = last
        .filter((row) => row.instrument === id)
        .reduce((sum, row) => sum + row.costAfter, 0)
      const closed =
        db
          .query<{ n: number | null }, [number]>(
            'select sum(closedPnl) n from fill where instrument = ?',
          )
          .get(id)?.n ?? 0
      return cost === closed ? [] : [`${coin}: PnL ${closed}, cost ${cost}`]
    })
}

function funding({ db, instruments }: World): string[] {
  const last = latest(db)
  return instruments
    .filter(({ kind }) => kind === 'perp')
    .flatMap((of) => {
      const index =
        db
          .query<{ i: number }, [number]>(
            `select fundingIndex i from funding where instrument = ?
             order by timeMs desc, charged desc`,
          )
          .get(of.id)?.i ?? 0
      const rows = last.filter((row) => row.instrument === of.id)
      const total = rows.reduce(
        (sum, row) =>
          sum + row.fundingAfter + fundingPaid(row.positionAfter, row.fundingIndex, index, of),
        0,
      )
      const fills =
        db
          .query<{ n: number }, [number]>('select count(*) n from fill where instrument = ?')
          .get(of.id)?.n ?? 0
      // Each settlement rounds by half a micro-dollar at most, and there is one at each fill.
      return Math.abs(total) <= (fills + rows.length) / 2 ? [] : [`${of.coin}: ${total}`]
    })
}

type Entry = Fill | Plain<LedgerRow>

/** Fills and ledger in the order that docs/world.md gives: time, then id. */
function story(db: Database): Entry[] {
  const fills = db.query<Fill, []>('select * from fill').all()
  const moves = db.query<Plain<LedgerRow>, []>('select * from ledger').all()
  return [...fills, ...moves].sort((a, b) => a.timeMs - b.timeMs || a.id - b.id)
}

function latest(db: Database): Fill[] {
  const last = new Map<string, Fill>()
  for (const row of db.query<Fill, []>('select * from fill order by timeMs, id').iterate())
    last.set(`${row.trader} ${row.instrument}`, row)
  return [...last.values()]
}

const fundingPaid = (size: number, from: number, to: number, of: InstrumentRow) =>
  raw(fundingBetween(sz(size), fundingIndex(from), fundingIndex(to), of))
