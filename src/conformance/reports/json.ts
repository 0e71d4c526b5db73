import type { Said } from '../conversation.ts'
import type { Report } from '../report.ts'
import { evidenceText, onlyCommand, shellCommand, shownText } from './failure.ts'

/** The whole report; except for durations, two runs against the same world are equal. */
export function jsonReport(report: Report): string {
  const results = report.results.map(({ evidence, conversation, ...rest }) => ({
    ...rest,
    durationMs: Math.round(rest.durationMs),
    ...(rest.verdict === 'failed'
      ? {
          evidence: evidenceText(evidence),
          command: onlyCommand(report.command, rest.id),
          conversation: conversation.map((said) => ({
            ...bounded(said),
            command: shellCommand(said),
          })),
        }
      : {}),
  }))
  return `${JSON.stringify({ ...report, results }, null, 2)}\n`
}

const bounded = (said: Said): Said =>
  JSON.parse(JSON.stringify(said), (_, value) =>
    typeof value === 'string' ? shownText(value) : value,
  )
