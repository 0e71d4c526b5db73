import { type Breadth, breadthLines } from '../ledger/breadth.ts'
import { countsText, type Report, sectionsOf } from '../report.ts'
import { CAUSES_MAX, causesOf, extentText, type Failure, failuresOf } from './failure.ts'

/**
 * The report in Markdown: failures and their reproduction first.
 *
 * @param lengthMax beyond this length failures are listed by name only
 */
export function markdownReport(report: Report, lengthMax = Number.POSITIVE_INFINITY): string {
  const { target, ended, notes } = report
  const head = [
    '# Conformance',
    line(target),
    countsText(report),
    ...(ended === null ? [] : [`**The run ended before its end**: ${line(ended)}`]),
    ...notes.map((one) => `- ${line(one)}`),
  ]
  const tail = [
    ...['## Requirements', requirementsTable(report)],
    ...(report.breadth === null ? [] : ['## Operations', breadthList(report.breadth)]),
    ...['## Not looked at', skipped(report)],
  ]
  const rest = tail.join('\n\n')
  const causes = causesOf(report)
  const beyond = causes[CAUSES_MAX]?.failures[0]?.id
  const list = causes.map(
    (cause, at) => `${at + 1}. ${line(cause.text)} (${line(extentText(cause))})`,
  )
  const start = [...head, '## Failures', ...listed(list, beyond)]
  const failures = shortened(
    causes.flatMap((cause) => cause.failures),
    lengthMax - start.join('\n\n').length - rest.length,
  )
  return `${[...start, ...failures, rest].join('\n\n')}\n`
}

/** The first reasons, and where the others are. */
function listed(causes: readonly string[], beyond: string | undefined): string[] {
  if (causes.length === 0) return []
  const more = causes.length - CAUSES_MAX
  const rest = beyond === undefined ? [] : [`and ${more} more, below from \`${beyond}\` on`]
  return [causes.slice(0, CAUSES_MAX).join('\n'), ...rest]
}

function shortened(failures: readonly Failure[], lengthMax: number): string[] {
  let left = lengthMax
  const reported = failures.map((failure) => {
    const whole = failureSection(failure)
    const text = whole.length <= left ? whole : `### ${line(failure.title)} \`${failure.id}\``
    left -= text.length
    return text
  })
  return reported.length > 0 ? reported : ['None.']
}

function failureSection(failure: Failure): string {
  const { id, title, expected, found, evidence, conversation, again } = failure
  const parts = [
    `### ${line(title)} \`${id}\``,
    expected.map(({ id: of, text }) => `- Expected: ${line(text)} \`${of}\``).join('\n'),
    `- Failed: ${line(found)}`,
    ...(evidence === '' ? [] : [fenced(evidence, evidence.startsWith('--- ') ? 'diff' : '')]),
    ...conversation.flatMap(({ text, again: command }) => [fenced(text), fenced(command, 'sh')]),
    fenced(again, 'sh'),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function requirementsTable(report: Report): string {
  const rows = sectionsOf(report).map((section) => {
    const own = report.requirements.filter((one) => one.section === section)
    const of = (verdict: string) => own.filter((one) => one.verdict === verdict).length
    return `| ${line(section)} | ${of('passed')} | ${of('failed')} | ${own.length} |`
  })
  return ['| section | passed | failed | all |', '|---|---:|---:|---:|', ...rows].join('\n')
}

const breadthList = (breadth: Breadth): string =>
  breadthLines(breadth)
    .map((one) => `- ${line(one)}`)
    .join('\n')

/** Grouped by reason: many cases lack the same. */
function skipped({ results }: Report): string {
  const counts = new Map<string, number>()
  for (const { verdict, message } of results)
    if (verdict === 'skipped') counts.set(message, (counts.get(message) ?? 0) + 1)
  const most = [...counts].sort(([, one], [, other]) => other - one)
  return most.map(([reason, count]) => `- ${count}: ${line(reason)}`).join('\n') || 'Nothing.'
}

/** Escapes a text for one line. */
const line = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_<>|[\]#]/g, '\\$&')

/** The fence is longer than any inside. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

// GitHub output of a run: annotations of a job, and its summary.

/** GitHub shows ten of each kind per step. */
const ANNOTATIONS_MAX = 10

/** A summary may have 1 MiB of UTF-8, with at most three bytes per character here. */
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
    command(
      'notice',
      'Conformance',
      more > 0 ? `${text}; ${more} more failures are in the summary` : text,
    ),
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
