import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { px, raw, sz, usd, ZERO } from '../../decimal/quantity.ts'
import {
  afterFill,
  directionText,
  entryPx,
  type FillEffect,
  type NetPosition,
  notionalOf,
} from './position.ts'

const FLAT: NetPosition = { sz: ZERO, cost: ZERO }
const filled = (holding: NetPosition, signed: number, notional: number) =>
  plain(afterFill(holding, sz(signed), usd(notional)))
const plain = (change: FillEffect) => change as unknown as Record<keyof FillEffect, number>

test('adding to a position averages its entry', () => {
  const one = afterFill(FLAT, sz(10), usd(1000))
  const two = afterFill(one, sz(30), usd(3600))
  expect(plain(two)).toMatchObject({ sz: 40, cost: 4600, closedPnl: 0, openedSz: 30, closedSz: 0 })
  expect(entryPx(two, 0, 0, 2)).toBe(11500)
})

test('closing a part releases its share of the cost and realises the rest', () => {
  const change = filled({ sz: sz(40), cost: usd(4600) }, -10, 1300)
  expect(change).toMatchObject({ sz: 30, cost: 3450, closedPnl: 150, closedSz: 10 })
})

test('a short gains when the price falls', () => {
  const short = afterFill(FLAT, sz(-5), usd(500))
  expect(filled(short, 5, 450)).toMatchObject({ sz: 0, cost: 0, closedPnl: 50 })
})

test('a flip closes everything and opens the rest at its own price', () => {
  const change = filled({ sz: sz(10), cost: usd(1000) }, -25, 3000)
  expect(change).toMatchObject({ sz: -15, cost: -1800, closedPnl: 200 })
  expect(change).toMatchObject({ closedSz: 10, openedSz: 15 })
  expect([change.closedNotional, change.openedNotional]).toEqual([1200, 1800])
})

test('PnL of any fills is proceeds minus cost, and a flat position has no cost', () => {
  const fills = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.boolean(), fc.integer({ min: 1, max: 1e12 })),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(fills, (list) => {
      let [holding, pnl, paid] = [FLAT, 0, 0]
      for (const [size, buys, notional] of list) {
        const change = afterFill(holding, sz(buys ? size : -size), usd(notional))
        pnl += raw(change.closedPnl)
        paid += buys ? notional : -notional
        holding = change
        if (holding.sz === ZERO) expect(holding.cost).toBe(usd(0))
      }
      expect(pnl + paid).toBe(raw(holding.cost))
    }),
  )
})

test('a notional is rounded once and exact where it fits', () => {
  const btc = { pxDecimals: 1, szDecimals: 5 }
  expect(notionalOf(px(964120), sz(12345), btc)).toBe(usd(11902061400))
  expect(notionalOf(px(964120), sz(1), { pxDecimals: 2, szDecimals: 5 })).toBe(usd(96412))
  expect(notionalOf(px(15), sz(1), { pxDecimals: 2, szDecimals: 5 })).toBe(usd(2))
  expect(notionalOf(px(9), sz(3), { pxDecimals: 2, szDecimals: 1 })).toBe(usd(27000))
})

test('each fill has its direction text', () => {
  const directions = [
    [0, 5],
    [5, 9],
    [9, 2],
    [2, 0],
    [2, -3],
    [-3, -4],
    [-4, -1],
    [-1, 7],
  ].map(([before, after]) => directionText(sz(before as number), sz(after as number)))
  expect(directions).toEqual([
    ...['Open Long', 'Open Long', 'Close Long', 'Close Long'],
    ...['Long > Short', 'Open Short', 'Close Short', 'Short > Long'],
  ])
})
