import { expect, test } from 'bun:test'
import { alertSubTypeFlaw } from './alert-catalogue.ts'

test('the flaw of a subType is described', () => {
  const price = 'a number from 0 to 1000000000000'
  const reasons: Record<string, string> = {
    'macs:1:golden':
      'there is no indicator "macs": use price, ma, ema, macd, kdj, rsi, boll, td or vol',
    'price:1:above:x': `price: params may be ${price}, not "x"`,
    'rsi:1:oversold:0':
      'rsi: params may be a whole number from 1 to 120, then a whole number from 1 to 49, not "0"',
    'boll:1:lower:20,9':
      'boll: params may be a whole number from 2 to 120, then a number from 1 to 5, not "20,9"',
  }
  for (const [text, why] of Object.entries(reasons)) expect(alertSubTypeFlaw(text)).toBe(why)
  expect(alertSubTypeFlaw('price:1:above')).toBe(null)
})
