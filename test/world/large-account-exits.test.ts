/** Large accounts have stops and targets at the venue, which do what they say after the tape. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
import { ownSmallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const base = await ownSmallWorld()
const { startMs, endMs } = base

interface Exit {
  oid: number
  coin: string
  side: 'B' | 'A'
  orderType: string
  origSz: number
  triggerPx: number
  limitPx: number
  reduceOnly: number
  positionTpsl: number
  triggerCondition: string
  /** Last price of the coin before. */
  px: number
  held: number
}

const EXITS = `
  select o.*, i.coin,
    (select px from trade t where t.instrument = o.instrument and t.timeMs <= ?1
      order by t.timeMs desc, t.id desc limit 1) as px,
    (select positionAfter from fill f where f.trader = o.trader and f.instrument = o.instrument
      and f.timeMs <= ?1 order by f.timeMs desc, f.id desc limit 1) as held
  from orders o join instrument i on i.id = o.instrument join trader t on t.id = o.trader
  where o.triggerPx is not null and o.timeMs <= ?1 and (o.endMs is null or o.endMs > ?1)
    and t.role = 'whale'`

test('exits are reduce-only, of a position, and on the side of the price that they say', () => {
  const exits = base.db.query<Exit, [number]>(EXITS).all(startMs)
  expect(exits.length).toBeGreaterThan(40)
  for (const exit of exits) {
    const { side, held, px, triggerPx, limitPx, orderType, triggerCondition } = exit
    const isLong = held > 0
    expect([exit.reduceOnly, exit.positionTpsl, side]).toEqual([1, 1, isLong ? 'A' : 'B'])
    expect(exit.origSz).toBeLessThanOrEqual(1.5 * Math.abs(held))
    const isAbove = (orderType === 'Take Profit Market') === isLong
    expect(triggerPx > px).toBe(isAbove)
    expect(triggerCondition.startsWith(isAbove ? 'Price above ' : 'Price below ')).toBe(true)
    expect(isLong ? limitPx < triggerPx : limitPx > triggerPx).toBe(true)
  }
  const types = new Set(exits.map(({ orderType }) => orderType))
  expect(types).toEqual(new Set(['Take Profit Market', 'Stop Market']))
})

test('a fall through stops closes their positions, and many at once go no further', () => {
  const before = base.db.query<Exit, [number]>(EXITS).all(endMs)
  const event = { kind: 'move', coin: 'BTC', pct: -7, overS: 60 } as const
  const events = [{ event, requestedMs: endMs, fromMs: endMs }]
  const order = { ...lineOf(base, at('fall.sqlite')), events }
  growTo(order, 2)
  const db = new Database(order.file, { readonly: true })
  const after = db.query<{ oid: number; filledSz: number }, []>('select oid, filledSz from orders')
  const filled = new Map(after.all().map((one) => [one.oid, one.filledSz]))
  const ofBtc = before.filter(({ coin }) => coin === 'BTC')
  const reached = ofBtc.filter(({ px, triggerPx, orderType, held }) => {
    const isStop = orderType === 'Stop Market' && held > 0
    return isStop && triggerPx > 0.945 * px
  })
  expect(reached.length).toBeGreaterThan(0)
  // Some accounts are liquidated instead.
  const fired = reached.filter(({ oid }) => (filled.get(oid) ?? 0) > 0)
  expect(fired.length).toBeGreaterThanOrEqual(reached.length / 2)
  const far = ofBtc.filter(({ px, triggerPx }) => triggerPx > 1.03 * px || triggerPx < 0.895 * px)
  expect(far.length).toBeGreaterThan(10)
  for (const { oid } of far) expect(filled.get(oid)).toBe(0)
  db.close()
})
