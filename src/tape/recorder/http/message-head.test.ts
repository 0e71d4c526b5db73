import { expect, test } from 'bun:test'
import { headEnd } from './message-head.ts'

const HEAD = 'POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n'
const LIMIT = 64 << 10

/** Counts the bytes that are searched in a buffer and in its parts. */
function searched(bytes: Buffer): () => number {
  const { indexOf } = Buffer.prototype
  let count = 0
  const watch = (part: Buffer): Buffer =>
    Object.assign(part, {
      indexOf(value: never, from = 0) {
        const at = indexOf.call(part, value, from)
        count += (at === -1 ? part.length : at) - from
        return at
      },
      subarray: (...span: number[]) => watch(Buffer.prototype.subarray.apply(part, span as [])),
    })
  watch(bytes)
  return () => count
}

test('bytes behind a head are not searched', () => {
  const bytes = Buffer.concat([Buffer.from(HEAD), Buffer.alloc(1 << 20, 'x')])
  const count = searched(bytes)
  expect(headEnd(bytes)).toBe(HEAD.length)
  expect(count()).toBeLessThan(4 * HEAD.length)
})

test('a head is incomplete, or too long', () => {
  expect(headEnd(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n'))).toBeNull()
  expect(() => headEnd(Buffer.alloc(LIMIT * 20, 'x'))).toThrow('sent a head of more than')
  expect(() => headEnd(Buffer.from('GET / HTTP/1.1\nHost: a\r\n\r\n'))).toThrow('LF alone')
})
