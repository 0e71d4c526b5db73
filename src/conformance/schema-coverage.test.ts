import { expect, test } from 'bun:test'
import { Nullable, OneOf, Type } from '../contract/schema.ts'
import { SchemaCoverage } from './schema-coverage.ts'

const ROW = Type.Object({
  side: OneOf(['buy', 'sell'], 'side'),
  px: Nullable(Type.Number()),
  note: Type.Optional(Type.String()),
})

test('seen parts of a schema are kept apart from unseen ones', () => {
  const coverage = new SchemaCoverage()
  coverage.record('op', Type.Array(ROW), [])
  expect([coverage.seen, coverage.total]).toEqual([0, 6])
  coverage.record('op', Type.Array(ROW), [{ side: 'buy', px: 1 }])
  expect(coverage.unseen).toEqual(['op[].note there', 'op[].px | null', 'op[].side = sell'])
  coverage.record('op', Type.Array(ROW), [{ side: 'sell', px: null, note: 'x' }])
  expect(coverage.unseen).toEqual([])
})
