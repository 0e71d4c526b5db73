import { expect, test } from 'bun:test'
import {
  absolute,
  add,
  compare,
  negate,
  type Px,
  portion,
  px,
  raw,
  type Sz,
  subtract,
  sum,
  sz,
  times,
  usd,
  ZERO,
} from './quantity.ts'

const price = px(1050)
const size = sz(3)

test('quantities of one unit add, compare and sort', () => {
  expect(add(price, px(50))).toBe(px(1100))
  expect(subtract(size, sz(5))).toBe(sz(-2))
  expect(absolute(subtract(size, sz(5)))).toBe(sz(2))
  expect(negate(size)).toBe(sz(-3))
  expect(Object.is(negate<Sz>(ZERO), 0)).toBe(true)
  expect(sum([usd(1), usd(2), usd(3)])).toBe(usd(6))
  expect(sum<Px>([])).toBe(ZERO)
  expect(price > px(1000) && price !== ZERO).toBe(true)
  expect([px(3), px(1), px(2)].sort(compare)).toEqual([px(1), px(2), px(3)])
})

test('a part is rounded half to even once', () => {
  expect(portion(usd(5), 1, 2)).toBe(usd(2))
  expect(portion(usd(7), sz(1), sz(2))).toBe(usd(4))
  expect(times(usd(7), 3)).toBe(usd(21))
})

test('a quantity is a plain number at run time', () => {
  expect(raw(price)).toBe(1050)
  expect(JSON.stringify({ price, size })).toBe('{"price":1050,"size":3}')
})

test('a price and a size do not meet: this file compiles because each of these does not', () => {
  // @ts-expect-error a price cannot be added to a size
  add(price, size)
  // @ts-expect-error nor with the operator
  expect(price + size).toBe(1053)
  // @ts-expect-error nor compared with one
  expect(price > size).toBe(true)
  // @ts-expect-error nor be equal to one
  expect(price === size).toBe(false)
  // @ts-expect-error nor stand in its place
  const wrong: Sz = price
  // @ts-expect-error it is no plain number
  const plain: number = price
  // @ts-expect-error and a plain number is no price
  const bare: Px = 1050
  expect([wrong, plain, bare] as unknown[]).toEqual([1050, 1050, 1050])
})
