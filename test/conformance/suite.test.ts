/** The whole suite against our own sandbox, in memory. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { rulesNamed } from '../../src/conformance/conform.ts'
import type { SaidSocket } from '../../src/conformance/conversation.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { Ledger } from '../../src/conformance/ledger/ledger.ts'
import { ledgerResults } from '../../src/conformance/ledger/ledger-rule.ts'
import { NEVER_SHOWN, RARELY_SHOWN, reportOf } from '../../src/conformance/report.ts'
import { htmlReport } from '../../src/conformance/reports/html.ts'
import { jsonReport } from '../../src/conformance/reports/json.ts'
import { junitReport } from '../../src/conformance/reports/junit.ts'
import {
  githubAnnotations,
  githubSummary,
  markdownReport,
} from '../../src/conformance/reports/markdown.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { SchemaCoverage } from '../../src/conformance/schema-coverage.ts'
import { isSocket } from '../../src/conformance/target-transport.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { futureSigning, leftovers, memoryTarget } from '../fixtures/memory-probe.ts'
import { SELDOM_JUDGED, skippedOf, UNJUDGED, unpassed } from '../fixtures/unjudged-cases.ts'

const ALL = [...HAND_WRITTEN_CASES, ...DERIVED_CASES]

const HANGING_MS = 600_000

test('cases have ids of their own and titles that are sentences', () => {
  const ids = ALL.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(ALL.filter(({ title }) => title.split(' ').length < 4)).toEqual([])
})

test('all cases pass in memory, show the declared parts, and leave nothing behind', async () => {
  const { target, transport } = await memoryTarget()
  const before = await leftovers(target, transport)
  const coverage = new SchemaCoverage()
  const ledger = new Ledger()
  const results = await runCases(ALL, {
    target,
    transport,
    systemClock: futureSigning,
    nonce: 'memory',
    caseTimeoutMs: HANGING_MS,
    coverage,
    ledger,
  })
  expect(unpassed(results)).toEqual([])
  const overall = await ledgerResults(ledger, rulesNamed())
  ledger.close()
  expect(overall.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  const always = skippedOf(results).filter((id) => !SELDOM_JUDGED.includes(id))
  expect(always).toEqual([...UNJUDGED].sort())
  const { unseen } = coverage
  const listed = { ...NEVER_SHOWN, ...RARELY_SHOWN }
  expect(unseen.filter((part) => !(part in listed))).toEqual([])
  // A listed part that is now shown must be removed from the list.
  expect(Object.keys(NEVER_SHOWN).filter((part) => !unseen.includes(part))).toEqual([])
  expect(coverage.seen).toBeGreaterThanOrEqual(600)
  const declared = new Set(coverage.all)
  expect(Object.keys(listed).filter((part) => !declared.has(part))).toEqual([])
  expect(await leftovers(target, transport)).toEqual(before)
})

/** Report of cases against a sandbox with modified responses and frames. */
async function changed(ids: string[], change: (text: string) => string) {
  const { target, transport } = await memoryTarget()
  const broken: typeof transport = {
    request: async (sent) => {
      const received = await transport.request(sent)
      return { ...received, text: change(received.text) }
    },
    connect: async (path) => {
      const opened = await transport.connect(path)
      if (!isSocket(opened)) return opened
      return Object.assign(Object.create(opened), {
        send: (data: string) => {
          opened.send(data)
          opened.frames.splice(0, opened.frames.length, ...opened.frames.map(change))
        },
      })
    },
  }
  const settings = { target, transport: broken, systemClock: fixedClock, nonce: 'report' }
  const only = ALL.filter(({ id }) => ids.includes(id))
  return reportOf('http://there', await runCases(only, settings))
}

test('reports contain failures, in each format, without secrets', async () => {
  const report = await changed(['answer.perpdex.tickers.1'], (text) =>
    text.replace('"coin":', '"secretKey":"s3cret","echo":"demo-secret","<coin>":'),
  )
  expect(report.counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  const annotations = githubAnnotations(report)
  const forms = [
    junitReport(report),
    htmlReport(report),
    jsonReport(report),
    markdownReport(report),
    annotations,
    githubSummary(report),
  ]
  const [{ checks = [] } = {}] = report.results
  expect(checks.length).toBeGreaterThan(0)
  for (const text of forms) {
    for (const id of checks) expect(text).toContain(id)
    expect(text).toContain('--only answer.perpdex.tickers.1')
    expect(text).not.toMatch(/demo-secret|s3cret|Signature=\w/)
    if (text !== annotations) expect(text).toContain('curl -sS -i -X GET')
  }
  expect(forms[0]).toContain('failures="1"')
  expect(forms[0]).toContain(`<property name="requirement" value="${checks[0]}"/>`)
  expect(forms[1]).not.toContain('<coin>')
  expect(forms[2]).toContain('(hidden)')
  expect(JSON.parse(forms[2] ?? '').counts.failed).toBe(1)
  expect(annotations.split('\n')).toEqual([
    expect.stringMatching(/^::error title=perpdex.tickers answers[^:,]*::.*%0AExpected: /),
    '::notice title=Conformance::0 passed, 1 failed, 0 skipped',
  ])
  expect(markdownReport(report, 10)).not.toContain('curl')
})

test('a failure on a socket shows every frame, and how to repeat them', async () => {
  const report = await changed(['channel.bbo.push'], (text) => text.replace('"coin":', '"Coin":'))
  const [failed] = report.results
  expect(failed?.verdict).toBe('failed')
  const socket = failed?.conversation.find(({ kind }) => kind === 'socket') as SaidSocket
  expect([socket.frames[0]?.from, typeof socket.frames[0]?.afterMs]).toEqual(['suite', 'number'])
  expect(socket.frames.some(({ from, text }) => from === 'target' && /"Coin"/.test(text))).toBe(
    true,
  )
  const page = markdownReport(report)
  expect(page).toContain('  {\n    "type": "bbo"\n-   "coin": "ETH"\n  }')
  expect(page).toMatch(/ > \{"method":"subscribe"/)
  expect(page).toMatch(/ < \{.*"Coin"/)
  expect(page).toMatch(/printf '%s\\n' '\{"method":"subscribe".* \| websocat -E -B \d+ '\/api/)
  expect(page).toContain('1. does not hold: it repeats coin of the subscription (1 case: /hl/ws)')
})
