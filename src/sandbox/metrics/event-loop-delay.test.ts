import { expect, test } from 'bun:test'
import { hostClock } from '../../clock/system-clock.ts'
import { EventLoopDelay } from './server-metrics.ts'

/** A machine whose only timer is fired by the test. */
function heldMachine() {
  let nowMs = 1_000
  let timer: { dueMs: number; task: () => void } | null = null
  const systemClock = {
    ...hostClock,
    monotonicMs: () => nowMs,
    startTimer: (delayMs: number, task: () => void) => {
      timer = { dueMs: nowMs + delayMs, task }
      return () => {
        timer = null
      }
    },
  }
  const fire = (lateMs: number) => {
    if (!timer) throw new Error('no timer is set')
    nowMs = timer.dueMs + lateMs
    timer.task()
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { systemClock, fire, pass, isWaiting: () => timer !== null }
}

test('a delay is how late the timer is called', () => {
  const { systemClock, fire } = heldMachine()
  const delay = new EventLoopDelay(systemClock)
  delay.start()
  for (const lateMs of [0, 3, 4_200, 0.5]) fire(lateMs)
  expect(delay.delaysMs.sum).toBe(4_203.5)
  expect(delay.delaysMs.cumulativeCounts.at(-1)).toBe(4)
  expect(delay.recentLongestMs).toBe(4_200)
})

test('a long delay is forgotten after a while, also without reads', () => {
  const { systemClock, fire, pass } = heldMachine()
  const delay = new EventLoopDelay(systemClock)
  delay.start()
  fire(2_000)
  pass(9_000)
  expect(delay.recentLongestMs).toBe(2_000)
  pass(11_000)
  expect(delay.recentLongestMs).toBe(0)
})

test('it can be stopped, and has no value before its start', () => {
  const { systemClock, fire, isWaiting } = heldMachine()
  const delay = new EventLoopDelay(systemClock)
  expect([delay.isObserving, isWaiting()]).toEqual([false, false])
  delay.start()
  fire(0)
  expect([delay.isObserving, isWaiting()]).toEqual([true, true])
  delay.stop()
  expect([delay.isObserving, isWaiting()]).toEqual([false, false])
})
