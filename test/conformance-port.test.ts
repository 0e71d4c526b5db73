/** The whole suite against our own sandbox, over a port. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { DERIVED } from '../src/conformance/derived.ts'
import { httpCarrier } from '../src/conformance/http-carrier.ts'
import { ownSandbox } from '../src/conformance/own-sandbox.ts'
import { type Result, runCases } from '../src/conformance/runner.ts'
import { realRegistry } from './real-market.ts'
import { still } from './still-machine.ts'
import { put } from './toy-server.ts'

const ALL = [...HAND_WRITTEN, ...DERIVED]

const amiss = (results: readonly Result[]) =>
  results.filter(({ verdict }) => verdict !== 'held').map(({ id, says }) => `${id}: ${says}`)

test('everything holds over a port, in a sandbox made for it', async () => {
  const { registry } = await realRegistry({ clock: 'running' })
  const { origin } = await put(registry)
  const { base, target, drop } = await ownSandbox(`${origin}/_control`, 5_000)
  const carrier = httpCarrier(base)
  const results = await runCases(ALL, { target, carrier, by: still, nonce: 'port' })
  await drop()
  expect(amiss(results)).toEqual([])
  expect(registry.list()).toHaveLength(1)
})
