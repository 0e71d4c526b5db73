import { expect, test } from 'bun:test'
import { px, sz } from '../../../decimal/quantity.ts'
import { randomSource } from '../../../random/random-source.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { forcedPosition, PriceRanges } from './forced-entry.ts'

const DECIMALS = { pxDecimals: 1, szDecimals: 3, tick: px(1) }
const ROW = { ...DECIMALS, maxLeverage: 40, kind: 'perp' } as InstrumentRow
const MINUTES = 2000
const random = randomSource(5, 'minutes')
const closes: number[] = []
for (let at = 0, log = Math.log(600_000); at < MINUTES; at++) {
  log += 0.001 * random.normal()
  closes.push(Math.round(Math.exp(log)))
}

/** The same minutes after some in which nothing could be opened: their blocks begin elsewhere. */
function shifted(end: number, by: number) {
  const mark = closes[end - 1] as number
  const all = [...Array.from({ length: by }, () => mark), ...closes]
  return new PriceRanges(all, all)
}

test('an entry does not depend on the blocks of minutes by which it is searched', () => {
  const whole = new PriceRanges(closes, closes)
  let found = 0
  for (let end = 200; end < MINUTES; end += 29)
    for (const side of [1, -1]) {
      const markPx = px(closes[end - 1] as number)
      const of = { markPx, held: sz(side * 1000), leverage: 30, share: random.unit() }
      const position = forcedPosition(ROW, of, whole, end)
      for (const by of [1, 17, 63])
        expect(forcedPosition(ROW, of, shifted(end, by), end + by)).toEqual(position)
      if (position) found++
    }
  expect(found).toBeGreaterThan(20)
})
