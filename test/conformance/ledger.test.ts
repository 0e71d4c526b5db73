/** Rules over everything that a run has heard: a lying target is noticed, a true one never. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { allCases, casesNamed, resultsNamed, rulesNamed } from '../../src/conformance/conform.ts'
import { Ledger } from '../../src/conformance/ledger/ledger.ts'
import { ledgerResults } from '../../src/conformance/ledger/ledger-rule.ts'
import { changedTransport } from '../../src/conformance/lies/lying-transport.ts'
import { type Result, runCases } from '../../src/conformance/runner.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'
import { cutTape } from '../../src/tape/cut.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { registryOn } from '../fixtures/default-recording.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'
import { otherAnswers } from '../fixtures/other-answers.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { LEDGER_LIES, type LedgerLie } from './deviations/by-hand/ledger.ts'

let nonce = 0

/** Results of the rules after minutes on all sockets of a target that tells a lie, or none. */
async function judged(lie?: LedgerLie, ...of: Parameters<typeof memoryTarget>) {
  const { registry, sandbox, transport, target } = await memoryTarget(...of)
  const tally = { changed: 0 }
  const through = lie
    ? changedTransport(transport, lie.change(), { tally, nowMs: () => sandbox.clock.nowMs() })
    : transport
  const ledger = new Ledger()
  const cases = ['sockets.minutes.together', ...(lie?.cases ?? [])]
  const ran = await runCases(
    allCases().filter(({ id }) => cases.includes(id)),
    { target, transport: through, systemClock: futureSigning, nonce: `ledger-${nonce++}`, ledger },
  )
  const results = await ledgerResults(ledger, rulesNamed())
  ledger.close()
  registry.close()
  const failed = (all: readonly Result[]) => all.filter(({ verdict }) => verdict === 'failed')
  return { ran: failed(ran), results, accused: failed(results), changed: tally.changed }
}

test('a true target is accused by no rule, and minutes are enough to judge each', async () => {
  const { ran, accused, results } = await judged()
  expect([...ran, ...accused]).toEqual([])
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)
  expect(skipped).toEqual(['ledger.refusal-envelopes'])
})

test.each([0, 1])('nor under the other answers of rank %i to open questions', async (rank) => {
  const { ran, accused } = await judged(undefined, { questions: otherAnswers(rank) })
  expect([...ran, ...accused]).toEqual([])
})

const at = temporaryFolder()

test.each([
  [['BTC'], 2],
  [['ETH', 'SOL'], 3],
] as const)('nor over a short tape of %p, at seed %i', async (coins, seed) => {
  const out = at(`${seed}.tape.ndjson`)
  const recording = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
  const { header } = await openTape(recording)
  const fromMs = header.startMs + 4 * 60_000
  await cutTape(recording, out, { fromMs, toMs: fromMs + 90_000, coins: [...coins] })
  const { ran, accused } = await judged(undefined, {}, () => registryOn(out, seed))
  expect([...ran, ...accused]).toEqual([])
})

for (const lie of LEDGER_LIES)
  test(`noticed: ${lie.rule}: ${lie.title}`, async () => {
    const { accused: all, changed } = await judged(lie)
    expect(changed).toBeGreaterThan(0)
    const accused = all.find(({ id }) => id === lie.rule)
    expect(accused?.evidence).toMatchObject({
      expected: { said: expect.stringMatching(/^entry \d+: /) },
      found: { said: expect.stringMatching(/^entry \d+: /) },
    })
    expect(accused?.conversation).toHaveLength(2)
  })

test('each rule has a lie that it notices', () => {
  const missing = rulesNamed().filter(({ id }) => !LEDGER_LIES.some(({ rule }) => rule === id))
  expect(missing.map(({ id }) => id)).toEqual([])
})

const NOWHERE: TargetTransport = {
  request: () => Promise.reject(new Error('nothing is sent')),
  connect: () => Promise.reject(new Error('nothing is opened')),
}

/** A ledger of equal answers, each of a thousand letters. */
function filled(bounds: ConstructorParameters<typeof Ledger>[0], count: number): Ledger {
  const ledger = new Ledger(bounds)
  const answer = { status: 200, contentType: 'application/json', text: 'x'.repeat(1000) }
  for (let at = 0; at < count; at++) ledger.answered(NOWHERE, { path: `/hl/${at}` }, answer)
  return ledger
}

test('a ledger goes on on disk, gives each entry back, and stops at its limit', () => {
  const ledger = filled({ memory: 10_000, disk: 20_000 }, 40)
  expect(ledger.diskBytes).toBeWithin(20_000, 22_000)
  expect(ledger.size + ledger.omitted).toBe(40)
  expect(ledger.omitted).toBeWithin(1, 39)
  const paths = Array.from({ length: ledger.size }, (_, seq) => {
    const heard = ledger.at(seq)
    return heard.kind === 'answer' ? [heard.request.path, heard.text.length] : null
  })
  expect(paths).toEqual(paths.map((_, at) => [`/hl/${at}`, 1000]))
  ledger.close()
  expect(ledger.diskBytes).toBe(0)
})

test('a pong after twenty seconds of the target is late', async () => {
  const ledger = new Ledger()
  const control = { advance: async () => {} }
  const keys = { full: { accessKey: 'key', secretKey: 'secret' } }
  const target = ledger.follow({ keys, control, patienceMs: 0 }, NOWHERE)
  const log = ledger.opened(NOWHERE, { path: '/hl/ws' })
  const heartbeat = async (ms: number) => {
    log.frame('suite', '{"method":"ping"}')
    await target.control?.advance(ms)
    log.frame('target', '{"channel":"pong"}')
  }
  await heartbeat(19_000)
  const rules = rulesNamed(['ledger.heartbeats'])
  expect(await ledgerResults(ledger, rules)).toMatchObject([{ verdict: 'passed' }])
  await heartbeat(21_000)
  expect(await ledgerResults(ledger, rules)).toMatchObject([
    { verdict: 'failed', message: "a ping is answered only after 21 s of the target's time" },
  ])
})

test('requests that differ only far behind are not the same, and equal ones are', async () => {
  const ledger = new Ledger()
  const control = { advance: async () => {}, isHeld: true } as const
  const keys = { full: { accessKey: 'key', secretKey: 'secret' } }
  ledger.follow({ keys, control, patienceMs: 0 }, NOWHERE)
  const addresses = Array.from({ length: 50 }, (_, at) => `0x${'f'.repeat(38)}${10 + at}`)
  const heard = (last: string, data: unknown) => {
    const text = JSON.stringify({ code: '0', msg: 'success', data })
    const body = { addresses: [...addresses, last] }
    const answer = { status: 200, contentType: 'application/json', text }
    ledger.answered(NOWHERE, { method: 'POST', path: '/hl/traders/accounts', body }, answer)
  }
  const rules = rulesNamed(['ledger.same-instant'])
  for (const last of ['0x1', '0x2']) heard(last, [last])
  expect(await ledgerResults(ledger, rules)).toMatchObject([{ verdict: 'skipped' }])
  heard('0x1', ['0x1'])
  expect(await ledgerResults(ledger, rules)).toMatchObject([{ verdict: 'passed' }])
  heard('0x2', ['0x1'])
  expect(await ledgerResults(ledger, rules)).toMatchObject([
    { verdict: 'failed', evidence: { expected: { value: { is: '0x2' } } } },
  ])
  ledger.close()
})

test('a rule that is named runs with all cases, and is the only result', () => {
  expect(casesNamed(['ledger.trades-once'])).toEqual([...allCases()])
  expect(rulesNamed(['ledger.trades-once']).map(({ id }) => id)).toEqual(['ledger.trades-once'])
  expect(resultsNamed(['ledger.trades-once'])).toBe(1)
  expect([rulesNamed(['coin.']), resultsNamed(['coin.keys'])]).toEqual([[], 1])
  expect(rulesNamed([], ['ledger.']).length).toBe(0)
})
