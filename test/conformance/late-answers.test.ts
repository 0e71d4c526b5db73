/** Late and missing responses under load cause no false failures. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { conform } from '../../src/conformance/conform.ts'
import type { Case } from '../../src/conformance/probe.ts'
import { runCases } from '../../src/conformance/runner.ts'
import type { TransportRequest } from '../../src/conformance/target-transport.ts'
import { Traffic } from '../../src/conformance/traffic.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'
import { memoryTarget } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()

const broken = async () => {
  throw new UserError('/x is not answered (ECONNREFUSED)')
}

type Answer = (sent: TransportRequest) => ReturnType<typeof transport.request>

test('a response too late for its signature is requested again, with a new one', async () => {
  const systemClock = hurriedClock()
  let refused = 0
  const report = await conform({
    baseUrl: 'http://there',
    keys: { full: target.keys.full },
    patienceMs: 0,
    systemClock,
    only: ['answer.content.newsList'],
    transport: {
      ...transport,
      request: async (sent) => {
        if (refused > 2 || !sent.path.includes('/content/news-list?'))
          return transport.request(sent)
        refused++
        await new Promise<void>((go) => void systemClock.startTimer(31_000, go))
        return { status: 401, contentType: 'application/json', text: '{"code":"401"}' }
      },
    },
  })
  expect([report.counts, report.ended]).toEqual([{ passed: 1, failed: 0, skipped: 0 }, null])
})

test('a case without a response beside others is repeated alone', async () => {
  let others = 0
  const cases: Case[] = [
    {
      id: 'own.beside',
      title: 'another case runs beside it',
      checks: [],
      async run() {
        others++
        for (let turns = 0; turns < 5; turns++) await hostClock.yieldTurn()
        others--
      },
    },
    {
      id: 'own.requested',
      title: 'a request alone is answered',
      checks: [],
      run: async (probe) => void (await probe.request({ path: '/coin' })),
    },
  ]
  const request: Answer = (sent) => (others > 0 ? broken() : transport.request(sent))
  const settings = { target, transport: { ...transport, request }, nonce: 'alone' }
  const results = await runCases(cases, { ...settings, systemClock: hostClock })
  expect(results.map(({ verdict }) => verdict)).toEqual(['skipped', 'passed'])
})

test('when repeated cases are answered, the others do not fail', async () => {
  let broke = 0
  const all = 23
  const one = (id: string, run: Case['run']): Case => ({
    id,
    title: 'one of several concurrent requests',
    checks: [],
    run,
  })
  const beside = one('own.beside', async () => {
    while (broke < all) await hostClock.yieldTurn()
  })
  const many = Array.from({ length: all }, (_, at) =>
    one(`own.${at}`, async (probe) => void (await probe.request({ path: '/coin' }))),
  )
  const request: Answer = (sent) => (broke++ < all ? broken() : transport.request(sent))
  const settings = { target, transport: { ...transport, request }, nonce: 'late' }
  const results = await runCases([beside, ...many], { ...settings, systemClock: hostClock })
  const of = (verdict: string) => results.filter((result) => result.verdict === verdict).length
  expect([of('passed'), of('failed'), of('skipped')]).toEqual([20, 0, 4])
})

test('a target that was slow before gets time for the liveness check', async () => {
  const attempts: boolean[] = []
  const isAlive = async (isPatient: boolean) => attempts.push(isPatient) > 0 && isPatient
  const traffic = new Traffic({ systemClock: hurriedClock(), isAlive })
  const gate = traffic.gate(0)
  const turn = await gate.turn()
  await gate.pause(5_000)
  gate.answered(turn)
  await gate.unanswered(await gate.turn())
  expect([attempts, traffic.endedBy]).toEqual([[false, true], null])
})
