import { markupText } from '../../platform/markup-text.ts'
import type { Report } from '../report.ts'
import type { Result } from '../runner.ts'
import { failureOf, failureText } from './failure.ts'

/** JUnit XML for CI systems: a suite for each family of cases. */
export function junitReport(report: Report): string {
  const { counts, ended, results } = report
  const families = new Set(results.map(familyOf))
  const suites = [...families].map((name) =>
    suite(
      report,
      name,
      results.filter((one) => familyOf(one) === name),
    ),
  )
  const ran = counts.passed + counts.failed + counts.skipped
  const [all, errors] = ended === null ? [ran, 0] : [ran + 1, 1]
  const [failed, skipped] = [failedIn(results), skippedIn(results)]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance" tests="${all}" failures="${failed}" errors="${errors}" skipped="${
    skipped
  }">
${[...suites, ...(ended === null ? [] : [endedSuite(ended)])].join('\n')}
</testsuites>
`
}

/** Suite that represents an early end of the run. */
const endedSuite = (why: string): string =>
  `  <testsuite name="run" tests="1" errors="1">
    <testcase classname="run" name="the run comes to its end">
      <error message="${xml(why)}"/>
    </testcase>
  </testsuite>`

const failedIn = (results: readonly Result[]): number =>
  results.filter(({ verdict, known }) => verdict === 'failed' && known === undefined).length

const skippedIn = (results: readonly Result[]): number =>
  results.filter(({ verdict, known }) => verdict === 'skipped' || known !== undefined).length

const familyOf = ({ id }: Result) => id.split('.')[0] ?? ''

function suite(report: Report, name: string, results: readonly Result[]): string {
  const seconds = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  const tests = `tests="${results.length}"`
  const counts = `failures="${failedIn(results)}" skipped="${skippedIn(results)}"`
  return `  <testsuite name="${xml(name)}" ${tests} ${counts} time="${seconds.toFixed(3)}">
${results.map((one) => testcase(report, one)).join('\n')}
  </testsuite>`
}

/** The ids of requirements are properties: CI systems that show these link them. */
function testcase(report: Report, result: Result): string {
  const { id, title, checks, durationMs } = result
  const time = (durationMs / 1000).toFixed(3)
  const properties = checks.map((of) => `<property name="requirement" value="${xml(of)}"/>`)
  const inside = [
    ...(properties.length > 0 ? [`<properties>${properties.join('')}</properties>`] : []),
    ...outcome(report, result),
  ]
  return `    <testcase classname="${xml(id)}" name="${xml(title)}" time="${time}"${
    inside.length > 0 ? `>${inside.join('')}</testcase>` : '/>'
  }`
}

/** Known failures are `skipped`, as JUnit has no other state. */
function outcome(report: Report, result: Result): string[] {
  const { verdict, message, known } = result
  if (verdict === 'passed') return []
  if (verdict === 'skipped') return [`<skipped message="${xml(message)}"/>`]
  if (known !== undefined) return [`<skipped message="${xml(`${known}: ${message}`)}"/>`]
  const text = failureText(failureOf(report, result))
  return [`<failure message="${xml(message)}">${xml(text)}</failure>`]
}

/** Escapes text for XML, without control characters. */
const xml = (text: string): string =>
  markupText(text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd'))
