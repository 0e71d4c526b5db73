/** What GitHub shows of a run: annotations beside a job, and the summary of a job. */
import { countsText, type Report } from '../report.ts'
import { failuresOf } from './failure.ts'
import { markdownReport } from './markdown.ts'

/** It shows ten of each kind for a step. */
const ANNOTATIONS_MAX = 10

/** A summary may have 1 MiB of UTF-8, in which a character takes three bytes at most here. */
const SUMMARY_MAX = 340_000

/** Workflow commands, one a line: an error for each of the first failures, and a line of counts. */
export function githubAnnotations(report: Report): string {
  const { ended, notes, results } = report
  const excused = new Set(results.flatMap(({ id, known: why }) => (why === undefined ? [] : [id])))
  const failures = failuresOf(report).filter(({ id }) => !excused.has(id))
  const errors = failures.slice(0, ANNOTATIONS_MAX).map(({ id, title, found, expected, again }) => {
    const words = expected.map((one) => `Expected: ${one.text} [${one.id}]`)
    return command('error', title, [`${found} [${id}]`, ...words, again].join('\n'))
  })
  const more = failures.length - errors.length
  const text = countsText(report)
  return [
    ...errors,
    ...(ended === null ? [] : [command('warning', 'Conformance ended before its end', ended)]),
    ...notes.slice(0, ANNOTATIONS_MAX - 1).map((one) => command('warning', 'Conformance', one)),
    command('notice', 'Conformance', more > 0 ? `${text}; ${more} more failures` : text),
  ].join('\n')
}

/** The summary of a job, within its length. */
export const githubSummary = (report: Report): string => markdownReport(report, SUMMARY_MAX)

function command(level: string, title: string, message: string): string {
  const data = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} title=${property}::${data(message)}`
}
