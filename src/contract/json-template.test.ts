import { expect, test } from 'bun:test'
import { JsonTemplate } from './json-template.ts'
import { IdOf, Type } from './schema.ts'
import { shownValue } from './shown-value.ts'

const Row = Type.Object({
  name: Type.String(),
  at: Type.Integer({ 'x-time': 'ms' }),
  seconds: Type.Optional(Type.String({ 'x-time': 'sDigits' })),
  day: Type.Optional(Type.String({ 'x-time': 'iso' })),
})
const Rows = Type.Object({ time: Type.Integer({ 'x-time': 'ms' }), rows: Type.Array(Row) })

const T = 1_700_000_000_000

test.each([
  ['nothing in it', { time: T, rows: [] }],
  [
    'rows',
    {
      time: T,
      rows: [
        { name: 'a', at: T },
        { name: 'b', at: T + 1 },
      ],
    },
  ],
  [
    'fields in another order',
    { rows: [{ at: T, name: 'a', day: '2026-01-01T00:00:00Z' }], time: T },
  ],
  ['digits', { time: T, rows: [{ name: 'a', seconds: '1700000000', at: T }] }],
])('it is what is written of the shifted value: %s', (_, value) => {
  const template = JsonTemplate.of(value, Rows)
  for (const shiftMs of [0, 61_000, -5_000, 61_000])
    expect(template?.at({ shiftMs })).toBe(JSON.stringify(shownValue(Rows, value, { shiftMs })))
})

const Trade = Type.Object({
  oid: IdOf('order', Type.Integer()),
  hash: IdOf('transaction', Type.String()),
  tid: IdOf('trade', Type.Integer()),
  time: Type.Integer({ 'x-time': 'ms' }),
})

test('ids are those of the lap, however many digits they have', () => {
  const hash = `0x${'0123456789abcdef'.repeat(4)}`
  const trades = [7, 2 ** 50 - 1, 0, 2 ** 52 - 1].map((tid, at) => {
    const isTransaction = at !== 2
    return {
      oid: 5 * 10 ** 12 + at,
      hash: isTransaction ? hash : '0x00000000000',
      tid,
      time: T + at,
    }
  })
  const schema = Type.Array(Trade)
  const template = JsonTemplate.of(trades, schema, '<', '>')
  for (const lap of [0, 1, 0, 2, 3, 9, 1]) {
    const as = { shiftMs: 60_000 * lap, lap }
    expect(template?.at(as)).toBe(`<${JSON.stringify(shownValue(schema, trades, as))}>`)
  }
})

test('there is none of data with the mark of an instant in it', () => {
  const value = { time: T, rows: [{ name: '\uE0000', at: T }] }
  expect(JsonTemplate.of(value, Rows)).toBeNull()
})

test('there is none of data with letters of more than a byte', () => {
  const value = { time: T, rows: [{ name: 'ツ', at: T }] }
  expect(JsonTemplate.of(value, Rows)).toBeNull()
  const template = JsonTemplate.of({ time: T, rows: [{ name: 'é', at: T }] }, Rows)
  expect(template?.at({ shiftMs: 1_000 })).toContain('"é"')
})

test('it is not used where an instant does not fit into its place', () => {
  const value = { time: 999_999_999_123, rows: [{ name: 'a', at: 999 }] }
  const template = JsonTemplate.of(value, Rows)
  for (const shiftMs of [500, 1_000]) expect(template?.at({ shiftMs })).toBeNull()
  expect(template?.at({ shiftMs: 0 })).toBe(JSON.stringify(value))
})
