import type { Report } from '../report.ts'
import { evidenceText, shownText } from './evidence-text.ts'

/** The whole report; durations apart, two runs against the same world give the same. */
export function jsonReport(report: Report): string {
  const results = report.results.map(({ evidence, exchanges, ...rest }) => ({
    ...rest,
    durationMs: Math.round(rest.durationMs),
    ...(rest.verdict === 'failed'
      ? {
          evidence: evidenceText(evidence),
          exchanges: exchanges.map(({ json: _, text, ...one }) => ({
            ...one,
            text: shownText(text),
          })),
        }
      : {}),
  }))
  return `${JSON.stringify({ ...report, results }, null, 2)}\n`
}
