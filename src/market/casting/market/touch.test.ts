import { expect, test } from 'bun:test'
import { type Px, px } from '../../../decimal/quantity.ts'
import { Touch } from './market-state.ts'

const order = (side: 'B' | 'A', units: number) => ({ side, limitPx: px(units) })
type Order = { side: 'B' | 'A'; limitPx: Px }

test('an order is crossed when the other side comes to its price, once', () => {
  const touch = new Touch<Order>()
  const [low, high, buy] = [order('A', 105), order('A', 110), order('B', 95)]
  for (const one of [low, high, buy]) touch.watch(one)
  expect(touch.move(1, px(100), px(101))).toEqual([])
  expect(touch.move(2, px(105), px(106))).toEqual([low])
  expect(touch.move(3, px(109), px(110))).toEqual([])
  expect(touch.move(4, px(94), px(95))).toEqual([buy])
  expect(touch.move(5, px(200), null)).toEqual([high])
})

test('the touch knows since when an order could rest at a price', () => {
  const touch = new Touch<Order>()
  expect(touch.freeFromMs('A', px(100), 5)).toBe(Number.NEGATIVE_INFINITY)
  touch.move(10, px(104), px(105))
  touch.move(20, px(102), px(103))
  touch.move(30, px(99), px(101))
  expect(touch.freeFromMs('A', px(104), 40)).toBe(20)
  expect(touch.freeFromMs('A', px(102), 40)).toBe(30)
  expect(touch.freeFromMs('A', px(105), 40)).toBe(Number.NEGATIVE_INFINITY)
  expect(touch.freeFromMs('A', px(99), 40)).toBe(40)
  expect([touch.crosses('A', px(99)), touch.crosses('A', px(100))]).toEqual([true, false])
  touch.move(50, px(107), px(108))
  expect(touch.freeFromMs('B', px(101), 60)).toBe(50)
  expect(touch.freeFromMs('B', px(103), 60)).toBe(50)
  expect(touch.freeFromMs('B', px(100), 60)).toBe(Number.NEGATIVE_INFINITY)
})
