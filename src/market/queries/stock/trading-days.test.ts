/** Sessions in the exchanges' calendars. */
import { expect, test } from 'bun:test'
import { shownMs } from '../../../clock/instant.ts'
import { lastTradingDay, type StockRegion, tradingDayBefore } from './stock-session.ts'

const at = (text: string) => shownMs(Date.parse(text))
const day = (region: StockRegion, text: string) => {
  const { openMs, closeMs } = lastTradingDay(region, at(text))
  return [openMs, closeMs].map((timeMs) => new Date(timeMs).toISOString().slice(0, 16))
}

test('New York opens an hour earlier in universal time while its clocks are ahead', () => {
  expect(day('US', '2026-01-15T18:00Z')).toEqual(['2026-01-15T14:30', '2026-01-15T21:00'])
  expect(day('US', '2026-07-15T18:00Z')).toEqual(['2026-07-15T13:30', '2026-07-15T20:00'])
  expect(day('US', '2026-03-09T18:00Z')).toEqual(['2026-03-09T13:30', '2026-03-09T20:00'])
  expect(day('US', '2026-11-27T23:00Z')).toEqual(['2026-11-27T14:30', '2026-11-27T18:00'])
})

test('outside of a session the last one is used', () => {
  const friday = ['2026-11-20T14:30', '2026-11-20T21:00']
  for (const text of ['2026-11-20T22:00Z', '2026-11-21T16:00Z', '2026-11-23T14:29:59.999Z'])
    expect(day('US', text)).toEqual(friday)
  expect(day('US', '2026-11-23T14:30Z')).toEqual(['2026-11-23T14:30', '2026-11-23T21:00'])
  expect(day('HK', '2026-02-19T05:00Z')).toEqual(['2026-02-16T01:30', '2026-02-16T04:00'])
  const monday = lastTradingDay('US', at('2026-11-23T15:00Z'))
  expect(tradingDayBefore('US', monday).openMs).toBe(at('2026-11-20T14:30Z'))
})

test('Hong Kong pauses at noon', () => {
  const { pause } = lastTradingDay('HK', at('2026-01-15T04:30Z'))
  expect(pause).toEqual({ fromMs: at('2026-01-15T04:00Z'), toMs: at('2026-01-15T05:00Z') })
})
