import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, px, type Sz } from '../../decimal/quantity.ts'
import { fill, orders } from '../schema/schema.ts'
import { columnsOf, tableStatement } from '../schema/statements.ts'
import { columns, joined, type RowOf } from './columns.ts'

const [f, o] = [alias(fill, 'f'), alias(orders, 'o')]
const ENTRY = columns({
  timeMs: f.timeMs,
  price: f.px,
  crossed: f.crossed,
  builderFee: f.builderFee,
  cloid: joined(o.cloid),
  doubled: sql<number>`2 * ${f.oid}`,
})
type Entry = RowOf<typeof ENTRY>

/** A world of one fill without its order. */
function filled(): Database {
  const db = new Database(':memory:')
  for (const name of ['fill', 'orders'] as const) db.exec(tableStatement(name))
  const given = new Map<string, number | string>([
    ...([
      ['id', 1],
      ['oid', 21],
      ['timeMs', 5],
      ['px', 105],
      ['crossed', 1],
    ] as const),
    ...([
      ['side', 'B'],
      ['dir', 'Open Long'],
    ] as const),
  ])
  const empty = new Set(['position', 'twap', 'builder', 'builderFee', 'liquidation'])
  const names = columnsOf('fill')
  const row = names.map((name) => given.get(name) ?? (empty.has(name) ? null : 0))
  db.prepare(`insert into fill values (${names.map(() => '?').join(', ')})`).run(...row)
  return db
}

const REST = 'from fill f left join orders o on o.oid = f.oid where f.px = ? and f.timeMs <= ?'

test('a row has its declared names; flags are booleans, missing values null', () => {
  const reader = ENTRY.prepare<[price: Px, atMs: TapeMs]>(filled(), REST)
  const row = { timeMs: 5, price: 105, crossed: true, builderFee: null, cloid: null, doubled: 42 }
  expect(reader.all(px(105), tapeMs(5)) as unknown[]).toEqual([row])
  expect(reader.get(px(105), tapeMs(5)) as unknown).toEqual(row)
  expect(reader.get(px(105), tapeMs(4))).toBeNull()
})

test('rows and questions are typed: this file compiles because each of these does not', () => {
  const reader = ENTRY.prepare<[price: Px, atMs: TapeMs]>(filled(), REST)
  const row: Entry | null = reader.get(px(105), tapeMs(5))
  if (row === null) throw new Error('there is a row')
  // @ts-expect-error the column holds a price
  const size: Sz = row.price
  // @ts-expect-error the row has no such name
  expect(row.sz).toBeUndefined()
  // @ts-expect-error a flag is a boolean
  expect(row.crossed === 1).toBe(false)
  // @ts-expect-error nothing may have been joined
  const cloid: string = row.cloid
  // @ts-expect-error the question asks for a price
  expect(reader.all(5, tapeMs(5))).toEqual([])
  expect([size, cloid] as unknown[]).toEqual([105, null])
})
