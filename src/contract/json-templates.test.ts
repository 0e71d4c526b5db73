import { expect, test } from 'bun:test'
import { JsonTemplates } from './json-templates.ts'
import { IdOf, Type } from './schema.ts'
import { type ShownAs, shownValue } from './shown-value.ts'

const Row = Type.Object({
  name: Type.String(),
  at: Type.Integer({ 'x-time': 'ms' }),
  seconds: Type.Optional(Type.String({ 'x-time': 'sDigits' })),
  day: Type.Optional(Type.String({ 'x-time': 'iso' })),
})
const Rows = Type.Object({ time: Type.Integer({ 'x-time': 'ms' }), rows: Type.Array(Row) })

const T = 1_700_000_000_000

/** The text of a value's template; null where there is none. */
function templateOf(value: unknown) {
  const templates = new JsonTemplates()
  return templates.add(value, Rows) ? (as: ShownAs) => templates.at(as)?.[0] : null
}

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
  const template = templateOf(value)
  for (const shiftMs of [0, 61_000, -5_000, 61_000])
    expect(template?.({ shiftMs })).toBe(JSON.stringify(shownValue(Rows, value, { shiftMs })))
})

const Trade = Type.Object({
  oid: IdOf('order', Type.Integer()),
  hash: IdOf('transaction', Type.String()),
  tid: IdOf('trade', Type.Integer()),
  time: Type.Integer({ 'x-time': 'ms' }),
})

test('ids are those of the lap, whatever their number of digits', () => {
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
  const templates = new JsonTemplates()
  expect(templates.add(trades, schema, '<', '>')).toBe(true)
  expect(templates.add(trades.slice(1), schema)).toBe(true)
  for (const lap of [0, 1, 0, 2, 3, 9, 1]) {
    const as = { shiftMs: 60_000 * lap, lap }
    const [all, some] = [trades, trades.slice(1)].map((of) =>
      JSON.stringify(shownValue(schema, of, as)),
    )
    expect(templates.at(as)).toEqual([`<${all}>`, `${some}`])
  }
})

test('data with the mark of an instant in it has no template', () => {
  const value = { time: T, rows: [{ name: '\uE0000', at: T }] }
  expect(templateOf(value)).toBeNull()
})

test('data with letters of more than a byte has no template', () => {
  const value = { time: T, rows: [{ name: 'ツ', at: T }] }
  expect(templateOf(value)).toBeNull()
  const template = templateOf({ time: T, rows: [{ name: 'é', at: T }] })
  expect(template?.({ shiftMs: 1_000 })).toContain('"é"')
})

test('a template is not used where an instant does not fit into its place', () => {
  const value = { time: 999_999_999_123, rows: [{ name: 'a', at: 999 }] }
  const template = templateOf(value)
  for (const shiftMs of [500, 1_000]) expect(template?.({ shiftMs })).toBeUndefined()
  expect(template?.({ shiftMs: 0 })).toBe(JSON.stringify(value))
})
