/** A target that refuses what the contract does not show passes over HTTP too. */
import { expect, test } from 'bun:test'
import { conform } from '../../src/conformance/conform.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

test('sockets refused by a strict target are requested again with a new nonce', async () => {
  const { registry } = await recordedRegistry({ strict: true })
  const { origin } = await serveRegistry(registry)
  const { results } = await conform({
    controlUrl: `${origin}/_control`,
    only: ['channel.l2Book.permission', 'distributor.sub-keys.sockets', 'authentication.sockets'],
  })
  const failed = results.filter(({ verdict }) => verdict === 'failed')
  expect(failed.map(({ id, message }) => [id, message])).toEqual([])
  expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true)
})
