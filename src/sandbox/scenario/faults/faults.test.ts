import { expect, test } from 'bun:test'
import {
  Address,
  Coin,
  Decimal,
  Digits,
  Nullable,
  SymbolName,
  TimeIso,
  TimeMs,
  TimeS,
  Type,
} from '../../../contract/schema.ts'
import { randomSource } from '../../../random/random-source.ts'
import { FAULTS } from '../faults.ts'

const ROW = Type.Object({
  px: Decimal(),
  n: Type.Integer(),
  address: Address(),
  empty: Type.Union([Decimal(), Type.Literal('')]),
  text: Coin(),
})
const SCHEMA = Type.Object({
  ...ROW.properties,
  rows: Type.Array(ROW),
  coin: Coin(),
  ticker: SymbolName('such as 1357'),
  oid: Nullable(Digits('order id')),
  byCoin: Type.Record(Type.String(), Decimal()),
})

const edit = (name: string, settings: object, data: unknown) =>
  FAULTS.get(name)?.onData?.(settings as never, randomSource(1))(data, SCHEMA)

test('types are changed both ways, for numbers only', () => {
  const data = { px: '1.5', n: 3, address: '0x1f', empty: '', text: 'BTC', rows: [{ px: '-2' }] }
  expect(edit('swap-types', {}, data)).toEqual({
    px: 1.5,
    n: '3',
    address: '0x1f',
    empty: '',
    text: 'BTC',
    rows: [{ px: -2 }],
  })
  expect(edit('swap-types', { field: 'px' }, data)).toEqual({
    ...data,
    px: 1.5,
    rows: [{ px: -2 }],
  })
})

test('a text that only looks like a number is kept: the schema decides', () => {
  const data = { ticker: '1357', oid: '12', byCoin: { BTC: '1.50' }, unknown: '7' }
  expect(edit('swap-types', {}, data)).toEqual({ ...data, oid: 12, byCoin: { BTC: 1.5 } })
})

test('fields are set, renamed and left out at any depth', () => {
  const data = [{ a: 1, b: { a: 2 } }]
  expect(edit('set', { field: 'a', value: null }, data)).toEqual([{ a: null, b: { a: null } }])
  expect(edit('rename', { field: 'a', to: 'c' }, data)).toEqual([{ c: 1, b: { c: 2 } }])
  expect(edit('omit', { field: 'a' }, data)).toEqual([{ b: {} }])
  expect(data).toEqual([{ a: 1, b: { a: 2 } }])
})

test('lists, lists in an object, and values are emptied', () => {
  expect(edit('empty', {}, [1])).toEqual([])
  expect(edit('empty', {}, { list: [1], total: 1 })).toEqual({ list: [], total: null })
  expect(edit('empty', {}, { a: 1 })).toBeNull()
  expect(edit('truncate-lists', { length: 1 }, { list: [[1, 2], [3]] })).toEqual({ list: [[1]] })
})

test('addresses get capital letters, other text does not', () => {
  const address = `0x${'ab'.repeat(20)}`
  const changed = edit('checksum-case', {}, { address, coin: 'btc' }) as typeof Object.prototype
  expect(JSON.stringify(changed).toLowerCase()).toBe(JSON.stringify({ address, coin: 'btc' }))
  expect(changed).not.toEqual({ address, coin: 'btc' })
})

test('times are set back in the unit of their schema', () => {
  const schema = Type.Object({ t: TimeMs(), s: TimeS(), at: TimeIso(), time: Type.Integer() })
  const data = { t: 5_000, s: 5, at: '2026-01-15T12:00:05Z', time: 5_000 }
  const [push] =
    FAULTS.get('backdate')?.onPush?.({ ms: 2_000 } as never, randomSource(1))({ data }, schema) ??
    []
  expect(push?.data).toEqual({ t: 3_000, s: 3, at: '2026-01-15T12:00:03Z', time: 5_000 })
})

const PUSH = Type.Object({ time: TimeMs() })

const flow = (name: string, settings: object = {}) => {
  const transform = FAULTS.get(name)?.onPush?.(settings as never, randomSource(1))
  return (count: number) =>
    Array.from({ length: count }, (_, n) => transform?.({ data: { time: n } }, PUSH) ?? [])
      .flat()
      .map(({ data }) => (data as { time: number }).time)
}

test('pushes are lost, repeated, reordered, held and frozen', () => {
  expect(flow('silence')(3)).toEqual([])
  expect(flow('lose-pushes', { count: 2 })(4)).toEqual([2, 3])
  expect(flow('repeat', { times: 2 })(2)).toEqual([0, 0, 1, 1])
  expect(flow('reorder')(4)).toEqual([1, 0, 3, 2])
  expect(flow('burst', { size: 3 })(5)).toEqual([0, 1, 2])
  expect(flow('freeze')(3)).toEqual([0, 0, 0])
  expect(flow('backdate', { ms: 5 })(2)).toEqual([-5, -4])
})

test('every fault acts at some point, and has a description', () => {
  for (const { name, about, ...acts } of FAULTS.values()) {
    expect(about).toEndWith('.')
    const points = [
      acts.onRequest,
      acts.onData,
      acts.onResponse,
      acts.onPush,
      acts.lostReply,
      acts.closeCode,
      acts.subscriptionRefusal,
      acts.stalledFrames,
    ]
    expect([name, points.filter(Boolean).length]).toEqual([name, 1])
  }
})

test('a record of scalars and lists keeps only its subject', () => {
  const data = { coin: 'BTC', px: '1', n: 2, rows: [{ px: '1' }] }
  expect(edit('empty', {}, data)).toEqual({ coin: 'BTC', px: null, n: null, rows: [] })
  expect(edit('empty', {}, { coin: 'BTC', px: '1' })).toBeNull()
})

test('a book is empty on one side, in each of its forms', () => {
  const level = { px: '1', sz: '2', n: 1 }
  const side = (data: object) => edit('empty-book', { side: 'asks' }, data)
  expect(side({ levels: [[level], [level]] })).toEqual({ levels: [[level], []] })
  expect(side({ bbo: [level, level] })).toEqual({ bbo: [level, null] })
  expect(side({ bids: [level], asks: [level] })).toEqual({ bids: [level], asks: [] })
  expect(edit('empty-book', {}, { levels: [[level], [level]] })).toEqual({ levels: [[], []] })
})
