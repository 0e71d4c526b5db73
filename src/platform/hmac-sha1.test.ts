/** Both implementations of signing have the same result. */
import { expect, test } from 'bun:test'
import { hexDigest } from './hmac-sha1.ts'
import { hexDigest as portable } from './portable-hmac-sha1.ts'

test.each([
  ['The quick brown fox jumps over the lazy dog', 'key'],
  ['', ''],
  ['é€😀', 'ключ'],
  ['text', 'a key longer than a block of the digest'.repeat(4)],
])('%j is digested alike with and without the runtime', (text, key) => {
  expect(portable(text, key)).toBe(hexDigest(text, key))
})

test('the digest is the published one', () => {
  const text = 'The quick brown fox jumps over the lazy dog'
  expect(hexDigest(text, 'key')).toBe('de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9')
})
