import { expect, test } from 'bun:test'
import { OPERATIONS } from '../contract/catalogue.ts'
import type { Operation } from '../contract/operation.ts'
import { rowsFlaw } from './declared-violations.ts'

const operation = (id: string) => OPERATIONS.find((one) => one.id === id) as Operation

const FILL = { coin: 'BTC', side: 'B', px: '95246', sz: '0.00178', time: 1, twapId: 7 }

test('equal fills without trade ids are accepted', () => {
  expect(rowsFlaw(operation('perpdex.fillsOfTwap'), [FILL, { ...FILL }])).toBe(null)
})

test('a row with a trade id must be unique', () => {
  const rows = [
    { ...FILL, tid: 3 },
    { ...FILL, tid: 3 },
  ]
  expect(rowsFlaw(operation('perpdex.fillsOfAddress'), rows)).toMatch(/has a row twice/)
})
