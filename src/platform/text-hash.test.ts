/** A sandbox in a page has the digest that it has on a server. */
import { expect, test } from 'bun:test'
import { textHash as portable } from './portable-text-hash.ts'
import { textHash } from './text-hash.ts'

test.each(['', 'a', 'é€😀', '{"channel":"bbo"}', 'longer than a lane of the hash'.repeat(40)])(
  '%j has one hash with and without the runtime',
  (text) => {
    for (const seed of [0, 1, 0xffff_ffff]) expect(portable(text, seed)).toBe(textHash(text, seed))
  },
)

test('the hash is the published one', () => {
  expect(textHash('', 0)).toBe(0x02cc5d05)
  expect(textHash('Nobody inspects the spammish repetition', 0)).toBe(0xe2293b2f)
})
