/** The whole suite against our own sandbox, in memory. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { reportOf } from '../../src/conformance/report.ts'
import { htmlReport } from '../../src/conformance/reports/html.ts'
import { jsonReport } from '../../src/conformance/reports/json.ts'
import { junitReport } from '../../src/conformance/reports/junit.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { SchemaCoverage } from '../../src/conformance/schema-coverage.ts'
import { NEVER_SHOWN, SELDOM_SHOWN } from '../../src/conformance/unshown-parts.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'
import { UNJUDGED, unpassed } from '../fixtures/unjudged-cases.ts'

const ALL = [...HAND_WRITTEN_CASES, ...DERIVED_CASES]

const HANGING_MS = 600_000

test('cases have ids of their own and titles that are sentences', () => {
  const ids = ALL.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(ALL.filter(({ title }) => title.split(' ').length < 4)).toEqual([])
})

test('everything holds in memory, and shows what is declared but for what is listed', async () => {
  const { target, transport } = await memoryTarget()
  const coverage = new SchemaCoverage()
  const settings = {
    target,
    transport,
    systemClock: futureSigning,
    nonce: 'memory',
    caseTimeoutMs: HANGING_MS,
    coverage,
  }
  const results = await runCases(ALL, settings)
  expect(unpassed(results)).toEqual([])
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)
  expect(skipped.sort()).toEqual([...UNJUDGED].sort())
  const { unseen } = coverage
  const listed = { ...NEVER_SHOWN, ...SELDOM_SHOWN }
  expect(unseen.filter((part) => !(part in listed))).toEqual([])
  // Who lists what is shown is told to take it off.
  expect(Object.keys(NEVER_SHOWN).filter((part) => !unseen.includes(part))).toEqual([])
  expect(coverage.seen).toBeGreaterThanOrEqual(600)
  const declared = new Set(coverage.all)
  expect(Object.keys(listed).filter((part) => !declared.has(part))).toEqual([])
})

test('reports say what failed, in each form, without secrets', async () => {
  const { target, transport } = await memoryTarget()
  const broken: typeof transport = {
    ...transport,
    request: async (sent) => {
      const received = await transport.request(sent)
      return { ...received, text: received.text.replace('"coin":', '"<coin>":') }
    },
  }
  const only = ALL.filter(({ id }) => id.startsWith('answer.perpdex.tickers'))
  const settings = { target, transport: broken, systemClock: fixedClock, nonce: 'report' }
  const report = reportOf('http://there', await runCases(only, settings))
  expect(report.counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  const forms = [junitReport(report), htmlReport(report), jsonReport(report)]
  for (const text of forms) {
    expect(text).toContain('perpdex.tickers')
    expect(text).not.toMatch(/demo-secret|Signature=\w/)
  }
  expect(forms[0]).toContain('failures="1"')
  expect(forms[1]).toContain('curl -X GET')
  expect(forms[1]).not.toContain('<coin>')
  expect(JSON.parse(forms[2] ?? '').counts.failed).toBe(1)
})
