import type { Report } from '../report.ts'
import type { Result } from '../runner.ts'
import { evidenceText } from './evidence-text.ts'

/** JUnit XML, as CI systems read it: a suite for each family of cases. */
export function junitReport({ counts, results }: Report): string {
  const families = new Set(results.map(familyOf))
  const suites = [...families].map((name) =>
    suite(
      name,
      results.filter((one) => familyOf(one) === name),
    ),
  )
  const { passed, failed, skipped } = counts
  const all = passed + failed + skipped
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance" tests="${all}" failures="${failed}" skipped="${skipped}">
${suites.join('\n')}
</testsuites>
`
}

const familyOf = ({ id }: Result) => id.split('.')[0] ?? ''

function suite(name: string, results: readonly Result[]): string {
  const count = (verdict: string) => results.filter((one) => one.verdict === verdict).length
  const seconds = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  const tests = `tests="${results.length}"`
  const counts = `failures="${count('failed')}" skipped="${count('skipped')}"`
  return `  <testsuite name="${xml(name)}" ${tests} ${counts} time="${seconds.toFixed(3)}">
${results.map(testcase).join('\n')}
  </testsuite>`
}

function testcase({ id, title, verdict, message, evidence, durationMs }: Result): string {
  const time = (durationMs / 1000).toFixed(3)
  const head = `    <testcase classname="${xml(id)}" name="${xml(title)}" time="${time}"`
  if (verdict === 'passed') return `${head}/>`
  const inside =
    verdict === 'skipped'
      ? `<skipped message="${xml(message)}"/>`
      : `<failure message="${xml(message)}">${xml(evidenceText(evidence))}</failure>`
  return `${head}>${inside}</testcase>`
}

/** Text for XML; control characters may not stand in it. */
const xml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
