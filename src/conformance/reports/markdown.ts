import { countsText, type Report, sectionsOf } from '../report.ts'
import { CAUSES_MAX, causesOf, extentText, type Failure } from './failure.ts'

/**
 * The report for people who read it beside the code: what fails and how to see it again first.
 *
 * @param lengthMax failures that would make it longer are told by their names only
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
  const tail = ['## Requirements', requirementsTable(report), '## Not looked at', skipped(report)]
  const rest = tail.join('\n\n')
  const causes = causesOf(report)
  const list = causes.map(
    (cause, at) => `${at + 1}. ${line(cause.text)} (${line(extentText(cause))})`,
  )
  const start = [...head, '## Failures', ...listed(list)]
  const failures = shortened(
    causes.flatMap((cause) => cause.failures),
    lengthMax - start.join('\n\n').length - rest.length,
  )
  return `${[...start, ...failures, rest].join('\n\n')}\n`
}

/** The most frequent reasons. */
function listed(causes: readonly string[]): string[] {
  if (causes.length === 0) return []
  const more = causes.length - CAUSES_MAX
  return [causes.slice(0, CAUSES_MAX).join('\n'), ...(more > 0 ? [`and ${more} more`] : [])]
}

function shortened(failures: readonly Failure[], lengthMax: number): string[] {
  let left = lengthMax
  const told = failures.map((failure) => {
    const whole = failureSection(failure)
    const text = whole.length <= left ? whole : `### ${line(failure.title)} \`${failure.id}\``
    left -= text.length
    return text
  })
  return told.length > 0 ? told : ['None.']
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

/** By their reasons: many cases lack the same. */
function skipped({ results }: Report): string {
  const counts = new Map<string, number>()
  for (const { verdict, message } of results)
    if (verdict === 'skipped') counts.set(message, (counts.get(message) ?? 0) + 1)
  const most = [...counts].sort(([, one], [, other]) => other - one)
  return most.map(([reason, count]) => `- ${count}: ${line(reason)}`).join('\n') || 'Nothing.'
}

/** A text that stays in its line and is no markup. */
const line = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_<>|[\]#]/g, '\\$&')

/** The fence is longer than any inside. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
