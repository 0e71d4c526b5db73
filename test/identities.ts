import type { Database } from 'bun:sqlite'
import { fundingBetween } from '../src/world/accounting/funding.ts'
import { afterFill, notionalOf, wording } from '../src/world/accounting/position.ts'
import type { FillRow, InstrumentRow, LedgerRow } from '../src/world/schema.ts'
import type { World } from '../src/world/world.ts'

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

type Fill = Omit<FillRow, 'crossed' | 'isolated'> & { crossed: number; isolated: number }

function bothSides({ db, instruments }: World): string[] {
  const odd = db
    .query<{ id: number }, []>(
      `select t.id from trade t
       left join fill b on b.trade = t.id and b.side = 'B' left join fill a on a.trade = t.id and a.side = 'A'
       where b.id is null or a.id is null or b.crossed + a.crossed != 1
         or b.crossed != (t.side = 'B') or b.px != t.px or a.px != t.px or b.sz != t.sz or a.sz != t.sz
         or b.notional != t.notional or a.notional != t.notional or b.timeMs != t.timeMs
         or a.timeMs != t.timeMs or b.trader != t.buyer or a.trader != t.seller
         or b.oid != t.buyerOid or a.oid != t.sellerOid`,
    )
    .all()
  const count = (table: string) =>
    db.query<{ n: number }, []>(`select count(*) n from ${table}`).get()?.n ?? 0
  const breaches = odd.map(({ id }) => `trade ${id}`)
  if (count('fill') !== 2 * count('trade')) breaches.push('fills are not twice the trades')
  for (const row of db
    .query<{ id: number; instrument: number; px: number; sz: number; notional: number }, []>(
      'select * from trade',
    )
    .iterate()) {
    const of = instruments[row.instrument] as InstrumentRow
    if (notionalOf(row.px, row.sz, of, 6) !== row.notional) breaches.push(`notional of ${row.id}`)
  }
  return breaches
}

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
    const change = afterFill(last, row.side === 'B' ? row.sz : -row.sz, row.notional)
    const paid = of.kind === 'spot' ? 0 : fundingBetween(last.sz, last.index, row.fundingIndex, of)
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
      of.kind === 'spot' ? (row.side === 'B' ? 'Buy' : 'Sell') : wording(last.sz, change.sz)
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
    FillRow,
    'trader' | 'instrument' | 'startPosition' | 'positionAfter' | 'trade'
  > & { interestAfter: number }
  const rows = db.query<Row, []>(
    'select f.*, t.interestAfter from fill f join trade t on t.id = f.trade order by f.timeMs, f.id',
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
            'select fundingIndex i from funding where instrument = ? order by timeMs desc, charged desc',
          )
          .get(of.id)?.i ?? 0
      const rows = last.filter((row) => row.instrument === of.id)
      const total = rows.reduce(
        (sum, row) =>
          sum + row.fundingAfter + fundingBetween(row.positionAfter, row.fundingIndex, index, of),
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

function orders({ db }: World): string[] {
  const wrong = db
    .query<{ oid: number }, []>(
      `select o.oid from orders o left join
       (select oid, sum(sz) sz, min(timeMs) first, max(timeMs) last, min(px) low, max(px) high,
          min(trader) t1, max(trader) t2, min(instrument) i1, max(instrument) i2, min(side) s1, max(side) s2
        from fill group by oid) f on f.oid = o.oid
     where o.filledSz != coalesce(f.sz, 0) or o.filledSz > o.origSz or o.origSz <= 0
       or (o.endStatus = 'filled') != (o.filledSz = o.origSz) or (o.endMs is null) != (o.endStatus is null)
       or o.endMs < o.timeMs or f.first < o.timeMs or f.last > o.endMs
       or (f.oid is not null and (t1 != o.trader or t2 != o.trader or i1 != o.instrument
           or i2 != o.instrument or s1 != o.side or s2 != o.side))
       or (o.side = 'B' and f.high > o.limitPx) or (o.side = 'A' and f.low < o.limitPx)`,
    )
    .all()
  const alone = db
    .query<{ id: number }, []>('select id from fill where oid not in (select oid from orders)')
    .all()
  return [
    ...wrong.map(({ oid }) => `order ${oid}`),
    ...alone.map(({ id }) => `fill ${id} has no order`),
  ]
}

function positions({ db, instruments }: World): string[] {
  const wrong = db
    .query<{ id: number }, []>(
      `select p.id from position p
     join fill o on o.id = p.openFill left join fill c on c.id = p.closeFill
     where o.timeMs != p.openMs or (p.closeMs is null) != (c.id is null) or c.timeMs != p.closeMs
       or p.openSz < p.maxSz or p.closeSz > p.openSz or (p.closeMs is not null and p.openSz != p.closeSz)
       or p.trader != o.trader or p.instrument != o.instrument
       or (p.direction = 'long') != (o.positionAfter > 0)
       or (p.closeMs is not null and p.closedPnl !=
           (case p.direction when 'long' then 1 else -1 end) * (p.closeNotional - p.openNotional))`,
    )
    .all()
  const breaches = wrong.map(({ id }) => `position ${id}`)
  for (const { id, kind } of instruments) {
    if (kind === 'spot') continue
    const sum = (table: string) =>
      db
        .query<{ n: number | null }, [number]>(
          `select sum(closedPnl) n from ${table} where instrument = ?`,
        )
        .get(id)?.n
    if (sum('position') !== sum('fill')) breaches.push(`PnL of instrument ${id}`)
  }
  return breaches
}

function twaps({ db }: World): string[] {
  return db
    .query<{ id: number }, []>(
      `select w.id from twap w left join
       (select twap, sum(sz) sz, sum(notional) usd, min(timeMs) first, max(timeMs) last, min(trader) t1,
         max(trader) t2, max(side) side from fill where twap is not null group by twap) f on f.twap = w.id
     where w.executedSz != coalesce(f.sz, 0) or w.executedNotional != coalesce(f.usd, 0)
       or w.executedSz > w.sz or f.first < w.timeMs or f.last > w.endMs or t1 != w.trader or t2 != w.trader
       or f.side != w.side`,
    )
    .all()
    .map(({ id }) => `TWAP ${id}`)
}

function spot({ db }: World): string[] {
  const rows = db.query<{ id: number }, []>(
    `select f.id from fill f join account a on a.id = f.account
     where a.dex = 'spot' and (f.cashAfter < 0 or f.positionAfter < 0 or f.startPosition < 0)`,
  )
  return rows.all().map(({ id }) => `fill ${id}`)
}

type Entry = Fill | LedgerRow

/** Fills and ledger in the order that docs/world.md gives: time, then id. */
function story(db: Database): Entry[] {
  const fills = db.query<Fill, []>('select * from fill').all()
  const moves = db.query<LedgerRow, []>('select * from ledger').all()
  return [...fills, ...moves].sort((a, b) => a.timeMs - b.timeMs || a.id - b.id)
}

function latest(db: Database): Fill[] {
  const last = new Map<string, Fill>()
  for (const row of db.query<Fill, []>('select * from fill order by timeMs, id').iterate())
    last.set(`${row.trader} ${row.instrument}`, row)
  return [...last.values()]
}
