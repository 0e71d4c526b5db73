import { expect, test } from 'bun:test'
import { hashText, transactionHash } from './crowd-address.ts'

test('a hash has 64 digits, and no two orders share one', () => {
  const all = Array.from({ length: 20_000 }, (_, n) => 100_000_000_000 + n * 131)
  const hashes = new Set(all.flatMap((oid) => [transactionHash(oid), transactionHash(oid, true)]))
  expect(hashes.size).toBe(40_000)
  for (const hash of hashes) expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
})

test('numbers that differ only far up have other hashes', () => {
  expect(transactionHash(5)).not.toBe(transactionHash(5 + 2 ** 32))
})

test('hashes of a tape are unchanged', () => {
  expect(hashText('0xab')).toBe('0xab')
  expect(hashText(7)).toBe(transactionHash(7))
})
