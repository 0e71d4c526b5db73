import { notionalOf } from '../src/world/accounting/position.ts'
import type { InstrumentRow, TradeRow } from '../src/world/schema.ts'
import type { World } from '../src/world/world.ts'

/** Trades whose two fills are not there, or not alike. */
export function bothSides({ db, instruments }: World): string[] {
  const odd = db
    .query<{ id: number }, []>(
      `select t.id from trade t
       left join fill b on b.trade = t.id and b.side = 'B'
       left join fill a on a.trade = t.id and a.side = 'A'
       where b.id is null or a.id is null or b.crossed + a.crossed != 1
         or b.crossed != (t.side = 'B') or b.px != t.px or a.px != t.px
         or b.sz != t.sz or a.sz != t.sz
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
    .query<Pick<TradeRow, 'id' | 'instrument' | 'px' | 'sz' | 'notional'>, []>(
      'select * from trade',
    )
    .iterate()) {
    const of = instruments[row.instrument] as InstrumentRow
    if (notionalOf(row.px, row.sz, of) !== row.notional) breaches.push(`notional of ${row.id}`)
  }
  return breaches
}

/** Orders that their fills contradict, and fills without an order. */
export function orders({ db }: World): string[] {
  const wrong = db
    .query<{ oid: number }, []>(
      `select o.oid from orders o left join
       (select oid, sum(sz) sz, min(timeMs) first, max(timeMs) last, min(px) low, max(px) high,
          min(trader) t1, max(trader) t2, min(instrument) i1,
          max(instrument) i2, min(side) s1, max(side) s2
        from fill group by oid) f on f.oid = o.oid
     where o.filledSz != coalesce(f.sz, 0) or o.filledSz > o.origSz or o.origSz <= 0
       or (o.endStatus = 'filled') != (o.filledSz = o.origSz)
       or (o.endMs is null) != (o.endStatus is null)
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

/** Positions that are not the sum of their fills. */
export function positions({ db, instruments }: World): string[] {
  const wrong = db
    .query<{ id: number }, []>(
      `select p.id from position p
     join fill o on o.id = p.openFill left join fill c on c.id = p.closeFill
     where o.timeMs != p.openMs or (p.closeMs is null) != (c.id is null) or c.timeMs != p.closeMs
       or p.openSz < p.maxSz or p.closeSz > p.openSz
         or (p.closeMs is not null and p.openSz != p.closeSz)
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

/** TWAPs that are not the sum of their slices. */
export function twaps({ db }: World): string[] {
  return db
    .query<{ id: number }, []>(
      `select w.id from twap w left join
       (select twap, sum(sz) sz, sum(notional) usd, min(timeMs) first, max(timeMs) last,
         min(trader) t1,          max(trader) t2, max(side) side
         from fill where twap is not null group by twap) f on f.twap = w.id
     where w.executedSz != coalesce(f.sz, 0) or w.executedNotional != coalesce(f.usd, 0)
       or w.executedSz > w.sz or f.first < w.timeMs or f.last > w.endMs
         or t1 != w.trader or t2 != w.trader
       or f.side != w.side`,
    )
    .all()
    .map(({ id }) => `TWAP ${id}`)
}

/** Fills that overdraw a spot account. */
export function spot({ db }: World): string[] {
  const rows = db.query<{ id: number }, []>(
    `select f.id from fill f join account a on a.id = f.account
     where a.dex = 'spot' and (f.cashAfter < 0 or f.positionAfter < 0 or f.startPosition < 0)`,
  )
  return rows.all().map(({ id }) => `fill ${id}`)
}
