import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseQuery } from './http-message.ts'

/** As the runtime parses it. */
function expected(query: string): Record<string, string> {
  const read: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) read[name] ??= value
  return read
}

const PARTS = ['a', 'coin', '=', '&', '%', '%3D', '%2b', '%C3%A4', '%ff', '+', '?', '#', ' ', 'ä']

test.each([
  'limit=50&AccessKeyId=demo&SignatureNonce=1-2&Timestamp=17&Signature=Zm9vYmFy%3D%3D',
  'a=1&a=2&&=3&b&c==&__proto__=4&constructor=5&%61=6',
  '?a=1',
  'a=+&b=%2B&c=%',
  'a=%C3%A4&b=%ff&c=%7F',
])('%s is parsed as by the runtime', (query) => {
  expect(parseQuery(query)).toEqual(expected(query))
})

test('every query is parsed as by the runtime', () => {
  const queries = fc
    .array(fc.oneof(fc.constantFrom(...PARTS), fc.string()))
    .map((all) => all.join(''))
  fc.assert(
    fc.property(queries, (query) => {
      expect(parseQuery(query)).toEqual(expected(query))
    }),
    { seed: 35, numRuns: 500 },
  )
})
