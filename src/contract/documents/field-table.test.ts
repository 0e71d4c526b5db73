import { expect, test } from 'bun:test'
import { Decimal, Nullable, OneOf, TimeMs, Type } from '../schema.ts'
import { fieldTable } from './reference.ts'

test('every value has a row with its path, type and meaning', () => {
  const schema = Type.Array(
    Type.Object({
      time: TimeMs('when'),
      side: OneOf(['buy', 'sell'], 'which way'),
      levels: Type.Tuple([Decimal('price'), Type.Integer()]),
      state: Nullable(Type.Object({ open: Type.Optional(Type.Boolean()) })),
      pnl: Decimal('pnl'),
    }),
  )
  expect(fieldTable('data', schema).split('\n').slice(2)).toEqual([
    '| `data[].time` | time, ms | when |',
    '| `data[].side` | `"buy"` or `"sell"` | which way |',
    '| `data[].levels[0]` | decimal | price |',
    '| `data[].levels[1]` | whole number |  |',
    '| `data[].state` | object or null |  |',
    '| `data[].state.open?` | true or false |  |',
    '| `data[].pnl` | decimal |  |',
  ])
})

test('a single value and a map have their row too', () => {
  expect(fieldTable('data', Nullable(Type.Integer()))).toContain(
    '| `data` | whole number or null |',
  )
  expect(fieldTable('data', Type.Record(Type.String(), Decimal('mid')))).toContain(
    '| `data.<name>` | decimal | mid |',
  )
})
