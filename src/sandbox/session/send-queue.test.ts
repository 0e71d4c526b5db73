import { expect, test } from 'bun:test'
import { type QueueBounds, SendQueue } from './send-queue.ts'

const FRAME_LENGTH = 1_000
const BOUNDS: QueueBounds = { pendingBytes: 1 << 20, frames: 20_000, length: 32 << 20 }
const frameOf = (number: number) => String(number).padStart(FRAME_LENGTH, '0')

/** A queue to a client that takes frames when `take` is called. */
function queueToClient() {
  const sent: string[] = []
  const pieces: number[] = []
  let pendingBytes = 0
  const connection = {
    send(frames: readonly string[]) {
      sent.push(...frames)
      pieces.push(frames.length)
      for (const { length } of frames) pendingBytes += length
    },
    pendingBytes: () => pendingBytes,
    close() {},
    terminate() {},
  }
  const counts = { sent: 0, received: 0, discarded: 0 }
  const noted: string[] = []
  const queue = new SendQueue(connection, BOUNDS, counts, (frames) => noted.push(...frames))
  const take = () => {
    pendingBytes = 0
  }
  return { queue, sent, pieces, noted, counts, take }
}

test('waiting frames are sent as far as the client takes them, in order', () => {
  const { queue, sent, noted, counts, take } = queueToClient()
  const frames = Array.from({ length: 5_000 }, (_, number) => frameOf(number))
  for (const frame of frames) queue.enqueue(frame)
  expect(queue.flush()).toBe(true)
  expect(sent.length * FRAME_LENGTH).toBeGreaterThanOrEqual(BOUNDS.pendingBytes)
  expect(sent.length * FRAME_LENGTH).toBeLessThan(2 * BOUNDS.pendingBytes)
  expect(queue.length).toBe(frames.length - sent.length)
  expect(queue.flush()).toBe(false)
  for (let round = 0; round < 10; round++) {
    take()
    queue.flush()
  }
  expect(queue.length).toBe(0)
  expect([sent, noted]).toEqual([frames, frames])
  expect([queue.sentCount, counts.sent, counts.discarded]).toEqual([5_000, 5_000, 0])
})

test('a short queue is one piece', () => {
  const { queue, sent, pieces } = queueToClient()
  for (const text of ['a', 'b']) queue.enqueue(text)
  expect([queue.flush(), queue.flush()]).toEqual([true, false])
  expect([sent, pieces]).toEqual([['a', 'b'], [2]])
})
