/** The path that a 404 suggests: only one that is near. */
import { expect, test } from 'bun:test'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

const PREFIX = '/api/upgrade/v2'
const { registry, sandbox } = await recordedRegistry()
const { request } = memoryTransport(registry)

/** What the journal says how a path would be right. */
function mendOf(path: string): string | null | undefined {
  expect(request('GET', path).status).toBe(404)
  const [last] = [...sandbox.journal.after(0)].slice(-1)
  return last?.kind === 'request' ? last.reason?.mend : undefined
}
const near = (path: string) => `did you mean ${PREFIX}${path}?`

test('a path that is like none has no suggestion, under the prefix as well', () => {
  for (const path of ['/nope/xyz', '/xyz', '/zzzz', '/hl/foo/bar', '/futures/funding', '/hl'])
    for (const full of [path, `${PREFIX}${path}`, `/s/default${PREFIX}${path}`])
      expect([full, mendOf(full)]).toEqual([full, 'every path is at /reference'])
})

test('a mistyped path is found by its own part', () => {
  expect(mendOf(`${PREFIX}/coins`)).toBe(near('/coin'))
  expect(mendOf(`${PREFIX}/Coin`)).toBe(near('/coin'))
  expect(mendOf(`${PREFIX}/hl/tickrs`)).toBe(near('/hl/tickers'))
  expect(mendOf(`${PREFIX}/coin/tickers`)).toBe(near('/coin/ticker'))
})

test('a path without its prefix, under another one, or without its last part is found', () => {
  expect(mendOf('/hl/tickers')).toBe(near('/hl/tickers'))
  expect(mendOf('/api/v3/hl/tickers')).toBe(near('/hl/tickers'))
  expect(mendOf(`${PREFIX}/hl/tickers/coin`)).toBe(near('/hl/tickers/coin/:coin'))
})
