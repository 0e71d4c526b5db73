import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { later, shownMs } from '../../clock/instant.ts'
import { type Px, px, raw, type Sz, sz, type Usd, usd } from '../../decimal/quantity.ts'
import { bigintText, roundOff } from '../formatting/decimal-text.ts'
import { bucketOf } from '../shown-time/time-grid.ts'
import { TradeTally } from './trade-tally.ts'

const trades = fc.array(
  fc.record({
    px: fc.integer({ min: 1, max: 1e9 }).map(px),
    sz: fc.integer({ min: 1, max: 1e9 }).map(sz),
    notional: fc.integer({ min: 1, max: 2 ** 52 - 1 }).map(usd),
    isBuy: fc.boolean(),
  }),
  { maxLength: 40 },
)

function tallyOf(list: { px: Px; sz: Sz; notional: Usd; isBuy: boolean }[]): TradeTally {
  const tally = new TradeTally()
  for (const { px, sz, notional, isBuy } of list) tally.add(px, sz, notional, isBuy)
  return tally
}

test('tallies of parts make the tally of the whole, however it is cut', () => {
  fc.assert(
    fc.property(trades, fc.nat(40), fc.nat(40), (list, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      const joined = tallyOf(list.slice(0, from))
      joined.append(tallyOf(list.slice(from, to)))
      joined.append(tallyOf(list.slice(to)))
      const whole = tallyOf(list)
      const facts = ({ n, open, high, low, close, size, buyN, buySize }: TradeTally) => [
        ...[n, open, high, low, close, size, buyN, buySize],
      ]
      expect(facts(joined)).toEqual(facts(whole))
      expect([joined.amount, joined.buyAmount]).toEqual([whole.amount, whole.buyAmount])
    }),
  )
})

test('amounts stay exact far beyond safe integers', () => {
  fc.assert(
    fc.property(trades, (list) => {
      const sum = list.reduce((total, { notional }) => total + BigInt(raw(notional)), 0n)
      expect(tallyOf(list).amount).toBe(sum)
    }),
  )
})

test('buckets are multiples of their length; weeks begin on Thursday, months on the 1st', () => {
  const at = shownMs(Date.UTC(2026, 0, 15, 12, 34, 56, 789))
  const starts = (interval: string) => new Date(bucketOf(interval, at)?.startMs ?? 0).toISOString()
  expect(starts('1s')).toBe('2026-01-15T12:34:56.000Z')
  expect(starts('15m')).toBe('2026-01-15T12:30:00.000Z')
  expect(starts('4h')).toBe('2026-01-15T12:00:00.000Z')
  expect(starts('1d')).toBe('2026-01-15T00:00:00.000Z')
  expect(starts('1w')).toBe('2026-01-15T00:00:00.000Z')
  expect(starts('1M')).toBe('2026-01-01T00:00:00.000Z')
  expect(bucketOf('1M', at)?.endMs).toBe(shownMs(Date.UTC(2026, 1)))
  expect(bucketOf('1w', later(at, -86_400_000))?.startMs).toBe(shownMs(Date.UTC(2026, 0, 8)))
  expect(bucketOf('soon', at)).toBeNull()
})

test('wide numbers are written like narrow ones', () => {
  expect(bigintText(-1_050n, 3)).toBe('-1.05')
  expect(bigintText(0n, 6, 1)).toBe('0.0')
  expect(bigintText(5n, 0, 1)).toBe('5.0')
  expect(bigintText(12_345_678_901_234_567_890n, 6)).toBe('12345678901234.56789')
  expect(roundOff(-15n, 1)).toBe(-2n)
  expect(roundOff(14n, 1)).toBe(1n)
})
