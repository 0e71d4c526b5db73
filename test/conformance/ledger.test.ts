/** Rules over everything that a run has heard: a lying target is noticed, a true one never. */
import { afterAll, expect, test } from 'bun:test'
import path from 'node:path'
import { allCases, casesNamed, resultsNamed, rulesNamed } from '../../src/conformance/conform.ts'
import { Ledger } from '../../src/conformance/ledger/ledger.ts'
import { ledgerResults } from '../../src/conformance/ledger/ledger-rule.ts'
import {
  type ConnectionChange,
  changedTransport,
} from '../../src/conformance/lies/lying-transport.ts'
import { type Result, runCases } from '../../src/conformance/runner.ts'
import {
  isSocket,
  type TargetTransport,
  type TransportRequest,
} from '../../src/conformance/target-transport.ts'
import { cutTape } from '../../src/tape/cut.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { registryOn } from '../fixtures/default-recording.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'
import { otherAnswers } from '../fixtures/other-answers.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { LEDGER_LIES, type LedgerLie } from './deviations/by-hand/ledger.ts'

let nonce = 0

type Opened = Awaited<ReturnType<typeof memoryTarget>>

/** Minutes on all sockets of a target, and what was heard. */
async function heard({ target }: Opened, transport: TargetTransport, also: readonly string[] = []) {
  const ledger = new Ledger()
  const cases = ['sockets.minutes.together', ...also]
  const ran = await runCases(
    allCases().filter(({ id }) => cases.includes(id)),
    { target, transport, systemClock: futureSigning, nonce: `ledger-${nonce++}`, ledger },
  )
  return { ledger, ran: failed(ran) }
}

const failed = (all: readonly Result[]) => all.filter(({ verdict }) => verdict === 'failed')

/** Results of all rules after minutes of a true target. */
async function judged(...of: Parameters<typeof memoryTarget>) {
  const opened = await memoryTarget(...of)
  const { ledger, ran } = await heard(opened, opened.transport)
  const results = await ledgerResults(ledger, rulesNamed())
  ledger.close()
  opened.registry.close()
  return { ran, results, accused: failed(results) }
}

/** The default target's minutes with its requests as they were sent, for the lies. */
let truth: { ledger: Ledger; sent: TransportRequest[] }
afterAll(() => truth.ledger.close())

test('a true target is accused by no rule, and minutes are enough to judge each', async () => {
  const opened = await memoryTarget()
  const sent: TransportRequest[] = []
  const { ledger, ran } = await heard(opened, noting(opened.transport, sent))
  opened.registry.close()
  truth = { ledger, sent }
  const results = await ledgerResults(ledger, rulesNamed())
  expect([...ran, ...failed(results)]).toEqual([])
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)
  expect(skipped).toEqual(['ledger.refusal-envelopes'])
})

/** A transport that notes each request that is answered, in order. */
const noting = (transport: TargetTransport, sent: TransportRequest[]): TargetTransport => ({
  request: (request) => {
    sent.push(request)
    return transport.request(request)
  },
  connect: async (path) => {
    const opened = await transport.connect(path)
    if (!isSocket(opened)) sent.push({ method: 'GET', path })
    return opened
  },
})

test.each([0, 1])('nor under the other answers of rank %i to open questions', async (rank) => {
  const { ran, accused } = await judged({ questions: otherAnswers(rank) })
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
  const { ran, accused } = await judged({}, () => registryOn(out, seed))
  expect([...ran, ...accused]).toEqual([])
})

/** What a target that tells the lie is heard to say, live. */
async function lyingTarget(lie: LedgerLie) {
  const opened = await memoryTarget()
  const { clock } = opened.sandbox
  const [tally, nowMs] = [{ changed: 0 }, () => clock.nowMs()]
  const through = changedTransport(opened.transport, lie.change(), { tally, nowMs })
  const { ledger } = await heard(opened, through, lie.cases)
  opened.registry.close()
  return { ledger, changed: tally.changed }
}

/** The same from the minutes of the true target: each answer and frame with the lie in it. */
async function lyingLedger(lie: LedgerLie) {
  const [change, ledger] = [lie.change(), new Ledger()]
  const sockets = new Map<number, ConnectionChange>()
  let [answers, changed] = [0, 0]
  for (let seq = 0; seq < truth.ledger.size; seq++) {
    const entry = truth.ledger.at(seq)
    if (entry.kind === 'answer') {
      const sent = truth.sent[answers++] as TransportRequest
      const { status, contentType, text } = entry
      const said = (await change.answer?.({ status, contentType, text }, sent)) ?? entry
      const isOther = said.text !== text || said.contentType !== contentType
      if (isOther || said.status !== status) changed++
      ledger.hear({ ...entry, ...said }, said.text.length)
    } else if (entry.kind === 'frame' && entry.from === 'target') {
      const texts = sockets.get(entry.socket)?.frame?.(entry.text) ?? [entry.text]
      if (texts.length !== 1 || texts[0] !== entry.text) changed++
      for (const text of texts) ledger.hear({ ...entry, text }, text.length)
    } else {
      if (entry.kind === 'opened' && change.connection)
        sockets.set(entry.socket, change.connection(entry.request.path))
      ledger.hear(entry, 0)
    }
  }
  expect(answers).toBe(truth.sent.length)
  return { ledger, changed }
}

/** A target that hears other frames says other things; and one of each kind is tried live. */
const LIVE = LEDGER_LIES.filter(({ cases, change }) => {
  const { request, connection } = change()
  return cases !== undefined || request !== undefined || connection?.('/hl/ws').sent !== undefined
}).concat(
  ...(['answer', 'connection'] as const).map(
    (kind) => LEDGER_LIES.find(({ change }) => change()[kind] !== undefined) ?? [],
  ),
)

for (const lie of LEDGER_LIES)
  test(`noticed: ${lie.rule}: ${lie.title}`, async () => {
    const { ledger, changed } = await (LIVE.includes(lie) ? lyingTarget : lyingLedger)(lie)
    expect(changed).toBeGreaterThan(0)
    const [accused] = failed(await ledgerResults(ledger, rulesNamed([lie.rule])))
    ledger.close()
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

test('the many accounts of one instant are judged in turns', async () => {
  const [ledger, accounts] = [new Ledger(), 200]
  ledger.hear({ kind: 'moved', place: 0, instant: 0, ms: 0 }, 0)
  for (let account = 0; account < accounts; account++) {
    const user = `0x${account.toString(16).padStart(40, '0')}`
    const body = { type: 'clearinghouseState', user }
    const request = { method: 'POST', path: '/hl/info', body, by: 'full', isSigned: true }
    const answer = { status: 200, contentType: 'application/json', text: '{"code":"0","data":{}}' }
    ledger.hear({ kind: 'answer', place: 0, instant: 0, request, ...answer }, answer.text.length)
  }
  let turns = 0
  await ledgerResults(ledger, rulesNamed(), async () => {
    turns++
  })
  ledger.close()
  expect(turns).toBeGreaterThanOrEqual(accounts)
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
