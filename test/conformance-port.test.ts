/** The whole suite against our own sandbox, over a port, and in memory as often as one likes. */
import { expect, test } from 'bun:test'
import { type Carrier, isSocket } from '../src/conformance/carrier.ts'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { DERIVED } from '../src/conformance/derived.ts'
import { httpCarrier } from '../src/conformance/http-carrier.ts'
import { ownSandbox } from '../src/conformance/own-sandbox.ts'
import { type Result, runCases } from '../src/conformance/runner.ts'
import { ahead, probed } from './probes.ts'
import { realRegistry } from './real-market.ts'
import { still } from './still-machine.ts'
import { put } from './toy-server.ts'

const ALL = [...HAND_WRITTEN, ...DERIVED]

const HANGING_MS = 600_000

/** A carrier whose sockets wait longer: it is the machine that may be slow, not the service. */
const patient = (carrier: Carrier): Carrier => ({
  ...carrier,
  connect: async (path) => {
    const opened = await carrier.connect(path)
    if (!isSocket(opened)) return opened
    return Object.assign(Object.create(opened), {
      stirred: (ms: number) => opened.stirred(20 * ms),
    })
  },
})

const amiss = (results: readonly Result[]) =>
  results.filter(({ verdict }) => verdict !== 'held').map(({ id, says }) => `${id}: ${says}`)

test('everything holds over a port, in a sandbox made for it', async () => {
  const { registry } = await realRegistry({ clock: 'running' })
  const { origin } = await put(registry)
  const { base, target, drop } = await ownSandbox(`${origin}/_control`, 5_000)
  const carrier = patient(httpCarrier(base, { answerMs: HANGING_MS }))
  const settings = { target, carrier, by: still, nonce: 'port', caseMs: HANGING_MS }
  const results = await runCases(ALL, settings)
  await drop()
  expect(amiss(results)).toEqual([])
  expect(registry.list()).toHaveLength(1)
})

test('what holds in memory holds the next time as well, and says the same', async () => {
  const run = async () => {
    const { target, carrier } = await probed()
    return runCases(ALL, { target, carrier, by: ahead, nonce: 'memory', caseMs: HANGING_MS })
  }
  const plain = (of: readonly Result[]) => of.map(({ id, verdict, says }) => [id, verdict, says])
  const results = await run()
  expect(plain(await run())).toEqual(plain(results))
})
