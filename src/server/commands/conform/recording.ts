/** `conform --recording`: judges recorded traffic without a request. */

import { hostClock } from '../../../clock/system-clock.ts'
import { markedAsKnown } from '../../../conformance/conform-settings.ts'
import { observeRecording } from '../../../conformance/recording/recorded-answers.ts'
import { Learning } from '../../../conformance/recording/recording-judge.ts'
import { countsText, knownFailuresIn, type Report } from '../../../conformance/report.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { TapeEvent } from '../../../tape/tape-event.ts'
import { openTape } from '../../../tape/tape-reader.ts'
import type { FlagValues } from '../command.ts'
import { checkIsNoSource, styled, writeLine } from '../terminal.ts'
import type { CONFORM } from './declaration.ts'
import { knownOf, requestedReport } from './options.ts'
import { writeReports, writeText } from './report-files.ts'

/** Flags about requests or the choice of cases, none of which is run. */
const FOR_TARGETS = ['target', 'control', 'diff', 'cast', 'only', 'exclude'] as const

/** Judges the recordings; code 1 when a requirement is violated, 2 when nothing could be judged. */
export async function conformRecording(flags: FlagValues<typeof CONFORM.flags>): Promise<number> {
  const { recording: files, observe, json, quiet } = flags
  const other = FOR_TARGETS.find((name) => (flags[name] ?? []).length > 0)
  if (other !== undefined)
    throw new UserError(`--recording sends no requests: it cannot be used with --${other}`)
  const reports = flags.report.map(requestedReport)
  const written = [observe, ...reports.map((one) => ('file' in one ? one.file : undefined))]
  for (const file of written) if (file !== undefined) checkIsNoSource(files, file)
  const known = knownOf(flags)
  const learning = new Learning()
  for (const file of files) {
    learning.gap()
    for await (const batch of (await openTape(file)).events(RECORDED))
      for (const event of batch) take(learning, event)
  }
  const report = await learning.report(
    files.join(' '),
    (result) => markedAsKnown(result, known, hostClock.nowMs()),
    () => hostClock.yieldTurn(),
  )
  if (observe !== undefined) {
    const observed = await observeRecording(learning.answers)
    await writeText(observe, `${JSON.stringify(observed, null, 2)}\n`)
  }
  await writeReports(reports, report)
  if (!quiet) printReport(report)
  const { exchanges, messages } = learning
  if (json) console.log(JSON.stringify(summaryRecord(report, { exchanges, messages })))
  else console.log(`${countsText(report)}; ${exchanges} exchanges and ${messages} frames judged`)
  if (report.results.length === 0) return 2
  return report.counts.failed > knownFailuresIn(report) ? 1 : 0
}

const RECORDED = ['exchange', 'frame', 'connection', 'gap'] as const

function take(learning: Learning, { kind, seq, data }: TapeEvent): void {
  if (kind === 'exchange') {
    const { requestBody = '', responseBody, error } = data
    if (responseBody === undefined || error !== undefined) learning.skip()
    else learning.exchange({ ...data, seq, requestBody, responseBody })
  } else if (kind === 'connection') {
    if (data.event === 'open')
      learning.opened(data.connection, data.url, seq, data.continued === true)
    if (data.event === 'close') learning.closed(data.connection, data.code, seq)
  } else if (kind === 'gap') learning.gap()
  else if (kind === 'frame' && data.text !== undefined && data.control === undefined) {
    const { connection, direction, text } = data
    learning.message({ connection, direction, text, seq })
  }
}

function printReport({ results, notes }: Report): void {
  const failed = styled('failed', 'red', process.stderr)
  for (const { verdict, title, message, id, known } of results)
    if (verdict === 'failed' && known === undefined)
      writeLine(`${failed}  ${title}\n        ${message} [${id}]`)
  for (const note of notes) writeLine(note)
}

function summaryRecord(
  report: Report,
  read: { exchanges: number; messages: number },
): Record<string, unknown> {
  const { target, counts, notes } = report
  const { passed, failed, skipped } = counts
  const known = knownFailuresIn(report)
  return { recording: target, passed, failed, known, skipped, ...read, notes }
}
