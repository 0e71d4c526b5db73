import { expect, test } from 'bun:test'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import { FrameInbox } from './frame-inbox.ts'
import type { Session } from './session.ts'

/** An inbox whose work is run by the test. */
function inbox() {
  const works: Slices<void>[] = []
  const log: string[] = []
  const arrivals = { count: 0 }
  const session = {
    idleTimeout: { noteActivity: () => void arrivals.count++ },
    *receive(message: string | Uint8Array): Slices<void> {
      log.push(`begin ${message}`)
      yield
      log.push(`end ${message}`)
    },
    close: (reason: string, code?: number) => log.push(`${code} ${reason}`),
  }
  const made = new FrameInbox(session as unknown as Session, (work) => works.push(work))
  const work = () => {
    for (const one of works.splice(0)) runToEnd(one)
  }
  return { made, log, work, works, arrivals }
}

test('a message waits for the one before it', () => {
  const { made, log, work, works } = inbox()
  made.receive('a')
  works[0]?.next()
  made.receive('b')
  expect(log).toEqual(['begin a'])
  work()
  expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b'])
  made.receive('c')
  work()
  expect(log.slice(4)).toEqual(['begin c', 'end c'])
})

test('a message counts as activity before its turn', () => {
  const { made, log, arrivals } = inbox()
  made.receive('a')
  expect([arrivals.count, log]).toEqual([1, []])
})

test('too many waiting messages close the connection, with both bounds', () => {
  const { made, log } = inbox()
  for (let count = 0; count <= 10_000; count++) made.receive('x')
  expect(log).toEqual(['1008 10000 frames wait, of 10000 bytes: at most 10000, of 8388608 bytes'])
  const other = inbox()
  for (let count = 0; count < 9; count++) other.made.receive('x'.repeat(1 << 20))
  expect(other.log).toEqual([
    '1008 8 frames wait, of 8388608 bytes: at most 10000, of 8388608 bytes',
  ])
})
