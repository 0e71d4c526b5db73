import { expect, test } from 'bun:test'
import { type PriceAlarm, PriceAlarms } from './market-state.ts'

const alarm = (px: number, above: boolean): PriceAlarm => ({ px, above, run: () => {} })

test('an alarm is taken out once a price has reached it, from the side it waits on', () => {
  const alarms = new PriceAlarms()
  for (const one of [alarm(105, true), alarm(102, true), alarm(95, false), alarm(98, false)])
    alarms.put(one)
  expect(alarms.take(99, 101)).toBeUndefined()
  expect(alarms.take(99, 103)?.px).toBe(102)
  expect(alarms.take(99, 103)).toBeUndefined()
  expect(alarms.take(94, 101)?.px).toBe(98)
  expect(alarms.take(94, 101)?.px).toBe(95)
  expect(alarms.take(94, 105)?.px).toBe(105)
  expect(alarms.take(0, 1e9)).toBeUndefined()
})
