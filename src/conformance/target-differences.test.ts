import { expect, test } from 'bun:test'
import { formDifferences, formOf } from './target-differences.ts'

const between = (here: unknown, there: unknown) => formDifferences(formOf(here), formOf(there))

test('values do not count, types and names do', () => {
  const row = { coin: 'BTC', price: '1', at: 5 }
  expect(between({ data: [row] }, { data: [{ ...row, price: '9', at: 7 }, row] })).toEqual([])
  expect(between({ data: [row] }, { data: [{ ...row, price: 1 }] })).toEqual([
    'data[].price: text here, number there',
  ])
  expect(between({ data: [row] }, { data: [{ coin: 'BTC', px: '1', at: 5 }] })).toEqual([
    'data[].price: here, not there',
    'data[].px: there, not here',
  ])
})

test('an empty list and a null are no evidence of their contents', () => {
  expect(between({ data: [{ a: 1 }] }, { data: [] })).toEqual([])
  expect(between({ data: { a: { b: 1 } } }, { data: { a: null } })).toEqual([])
  expect(between({ data: [] }, { data: {} })).toEqual(['data: list here, object there'])
})

test('names that are values count as one place', () => {
  expect(between({ '0xab': 1, '10': [1] }, { '0xcd': 2, '25': [2] })).toEqual([])
})
