import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { TableInsert } from './table-insert.ts'

const COLUMNS = ['id', 'px', 'end']

function tableOf(onConflict = '') {
  const db = new Database(':memory:')
  db.exec('create table t (id integer primary key, px integer, "end" integer)')
  return { db, insert: new TableInsert(db, 't', COLUMNS, onConflict) }
}

test('rows are written in their order, those that wait by a flush', () => {
  const { db, insert } = tableOf()
  for (let id = 1; id <= 40; id++)
    if (id % 2 === 0) insert.add({ id, px: 10 * id })
    else insert.addValues([id, 10 * id, null])
  insert.flush()
  const rows = Array.from({ length: 40 }, (_, at) => [at + 1, 10 * (at + 1), null])
  expect(db.query('select * from t order by rowid').values()).toEqual(rows)
  insert.flush()
  expect(db.query('select count(*) from t').values()).toEqual([[40]])
})

test('the last of several rows with one key counts, also within a statement', () => {
  const { db, insert } = tableOf(' on conflict ("id") do update set "end" = excluded."end"')
  for (let end = 1; end <= 21; end++) insert.add({ id: 1, px: end, end })
  insert.flush()
  expect(db.query('select * from t').values()).toEqual([[1, 1, 21]])
})
