import { expect, test } from 'bun:test'
import { conform } from '../../src/conformance/conform.ts'
import type { Case } from '../../src/conformance/probe.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { isSocket, type TargetTransport } from '../../src/conformance/target-transport.ts'
import { deferred } from '../../src/platform/deferred.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()

/** At most four concurrent sockets, and their maximum so far. */
function few() {
  const counts = { open: 0, most: 0 }
  const carried: TargetTransport = {
    ...transport,
    connect: async (path) => {
      if (counts.open >= 4) return { status: 403, contentType: '', text: '{"msg":"请求过于频繁"}' }
      const socket = await transport.connect(path)
      if (!isSocket(socket)) return socket
      counts.most = Math.max(counts.most, ++counts.open)
      const close = () => {
        counts.open--
        socket.close()
      }
      return Object.assign(Object.create(socket), { close })
    },
  }
  return { counts, carried }
}

test('with a low socket limit, cases wait for others to close theirs', async () => {
  const { counts, carried } = few()
  const only = ['sockets.frames.ping', 'sockets.users.ack', 'sockets.snapshots.book']
  const { full } = target.keys
  const report = await conform({
    baseUrl: 'http://there',
    keys: { full },
    patienceMs: 0,
    only,
    transport: carried,
    systemClock: hurriedClock(),
  })
  expect([report.counts.failed, report.ended, counts.most]).toEqual([0, null, 4])
  expect(report.results.filter(({ message }) => message.includes('for now'))).toEqual([])
})

test("cases that block one another's sockets are repeated alone", async () => {
  const { counts, carried } = few()
  const { control: _, ...there } = target
  let [arrived, tries] = [0, 0]
  const both = deferred<void>()
  const cases = ['one', 'other'].map(
    (id): Case => ({
      id,
      title: 'three sockets are open at a time',
      checks: [],
      passesTime: true,
      async run(probe) {
        tries++
        for (let socket = 0; socket < 3; socket++) {
          await probe.connect({ path: '/hl/ws' })
          if (socket > 0) continue
          if (++arrived === 2) both.resolve()
          await both.promise
        }
        probe.judges('three sockets')
      },
    }),
  )
  const settings = { target: there, systemClock: futureSigning, nonce: 'few' }
  const results = await runCases(cases, { ...settings, transport: carried })
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed'])
  expect([counts.most, tries > 2]).toEqual([4, true])
})

test('a named time for the next socket is kept', async () => {
  const systemClock = hurriedClock()
  let lastMs = 0
  const strict: TargetTransport = {
    ...transport,
    connect: async (path) => {
      const nowMs = systemClock.monotonicMs()
      const isEarly = lastMs === 0 || nowMs - lastMs < 40_000
      lastMs = nowMs || 1
      return isEarly
        ? { status: 429, contentType: '', text: '{}', retryAfter: '40' }
        : transport.connect(path)
    },
  }
  const { full } = target.keys
  const report = await conform({
    baseUrl: 'http://there',
    keys: { full },
    patienceMs: 0,
    only: ['sockets.frames.ping'],
    transport: strict,
    systemClock,
  })
  expect(report.results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
})
