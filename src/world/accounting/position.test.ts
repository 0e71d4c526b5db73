import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { afterFill, entryPx, type Holding, notionalOf, wording } from './position.ts'

const FLAT: Holding = { sz: 0, cost: 0 }

test('adding to a position averages its entry', () => {
  const one = afterFill(FLAT, 10, 1000)
  const two = afterFill(one, 30, 3600)
  expect(two).toMatchObject({ sz: 40, cost: 4600, closedPnl: 0, openedSz: 30, closedSz: 0 })
  expect(entryPx(two, 0, 0, 2)).toBe(11500)
})

test('closing a part releases its share of the cost and realises the rest', () => {
  const change = afterFill({ sz: 40, cost: 4600 }, -10, 1300)
  expect(change).toMatchObject({ sz: 30, cost: 3450, closedPnl: 150, closedSz: 10 })
})

test('a short gains when the price falls', () => {
  const short = afterFill(FLAT, -5, 500)
  expect(afterFill(short, 5, 450)).toMatchObject({ sz: 0, cost: 0, closedPnl: 50 })
})

test('a flip closes everything and opens the rest at its own price', () => {
  const change = afterFill({ sz: 10, cost: 1000 }, -25, 3000)
  expect(change).toMatchObject({ sz: -15, cost: -1800, closedPnl: 200 })
  expect(change).toMatchObject({ closedSz: 10, openedSz: 15 })
  expect([change.closedNotional, change.openedNotional]).toEqual([1200, 1800])
})

test('for any run of fills, PnL is cost less what was paid, and flat means no cost', () => {
  const fills = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.boolean(), fc.integer({ min: 1, max: 1e12 })),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(fills, (list) => {
      let [held, pnl, paid] = [FLAT, 0, 0]
      for (const [sz, buys, notional] of list) {
        const change = afterFill(held, buys ? sz : -sz, notional)
        pnl += change.closedPnl
        paid += buys ? notional : -notional
        held = change
        if (held.sz === 0) expect(held.cost).toBe(0)
      }
      expect(pnl + paid).toBe(held.cost)
    }),
  )
})

test('a notional is rounded once and exact where it fits', () => {
  const btc = { pxDecimals: 1, szDecimals: 5 }
  expect(notionalOf(964120, 12345, btc, 6)).toBe(11902061400)
  expect(notionalOf(964120, 1, { pxDecimals: 2, szDecimals: 5 }, 6)).toBe(96412)
  expect(notionalOf(15, 1, { pxDecimals: 2, szDecimals: 5 }, 6)).toBe(2)
  expect(notionalOf(9, 3, { pxDecimals: 2, szDecimals: 1 }, 6)).toBe(27000)
})

test('each fill has its words', () => {
  const said = [
    [0, 5],
    [5, 9],
    [9, 2],
    [2, 0],
    [2, -3],
    [-3, -4],
    [-4, -1],
    [-1, 7],
  ].map(([before, after]) => wording(before as number, after as number))
  expect(said).toEqual([
    ...['Open Long', 'Open Long', 'Close Long', 'Close Long'],
    ...['Long > Short', 'Open Short', 'Close Short', 'Short > Long'],
  ])
})
