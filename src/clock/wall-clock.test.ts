import { expect, test } from 'bun:test'
import { wallClock } from './system-clock.ts'

test('it has fractions while the machine’s clock goes on, and follows when that one is set', () => {
  const machine = { wallMs: 1_700_000_000_000, steadyMs: 5 }
  const nowMs = wallClock(
    () => Math.floor(machine.wallMs),
    () => machine.steadyMs,
  )
  const pass = (ms: number) => {
    machine.wallMs += ms
    machine.steadyMs += ms
    return nowMs()
  }
  expect(pass(0.5)).toBe(1_700_000_000_000.5)
  expect(pass(0.25)).toBe(1_700_000_000_000.75)
  for (const setByMs of [-3_600_000, 86_400_000, -30]) {
    machine.wallMs += setByMs
    expect(nowMs()).toBe(Math.floor(machine.wallMs))
    expect(pass(1.5) - Math.floor(machine.wallMs - 1.5)).toBe(1.5)
  }
})
