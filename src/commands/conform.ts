/** `tapewright conform`: the conformance suite against anything that claims to be the service. */
import { renameSync } from 'node:fs'
import { hostClock } from '../clock/system-clock.ts'
import { casesNamed, judge } from '../conformance/conform.ts'
import type { ConformSettings } from '../conformance/conform-settings.ts'
import { observe } from '../conformance/observation.ts'
import type { Report } from '../conformance/report.ts'
import { htmlReport } from '../conformance/reports/html.ts'
import { jsonReport } from '../conformance/reports/json.ts'
import { junitReport } from '../conformance/reports/junit.ts'
import { checkTarget } from '../conformance/target-check.ts'
import { differences } from '../conformance/target-differences.ts'
import { placeBeside, type TargetPlace, withTarget } from '../conformance/target-place.ts'
import { UserError } from '../user-error.ts'
import type { Run } from './command.ts'
import type { CONFORM } from './conform/declaration.ts'
import { INTERRUPTED_CODE, interruption } from './conform/interruption.ts'
import { type ConformOptions, conformOptions, type ReportForm } from './conform/options.ts'
import { progressLine, styled, writeError, writeLine } from './terminal.ts'

/**
 * Checks the target that the flags name; code 2 when nothing could be judged or the target stopped
 * answering on the way, 130 when it was interrupted.
 */
export const conform: Run<typeof CONFORM> = async ({ flags }) => {
  const options = conformOptions(flags)
  const { signal, stop } = interruption()
  try {
    const cases = casesNamed(options.only)
    const settings = { ...options.settings, signal, ...told(options, cases.length) }
    return await withTarget(settings, async (place) =>
      options.diff === undefined
        ? check(place, cases, options, settings)
        : compare(place, options.diff, options.json),
    )
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    writeError(error.message)
    return signal.aborted ? INTERRUPTED_CODE : 2
  } finally {
    stop()
  }
}

/** Runs the suite and writes what is asked for; code 1 when something does not hold. */
async function check(
  place: TargetPlace,
  cases: ReturnType<typeof casesNamed>,
  { json, observe: file, reports }: ConformOptions,
  settings: ConformSettings,
): Promise<number> {
  const report = await judge(place, cases, settings)
  if (file !== undefined && report.ended === null) {
    const observed = await observe(place.target, place.transport, hostClock, place.traffic)
    await writeReport(file, `${JSON.stringify(observed, null, 2)}\n`)
  }
  for (const [form, name] of reports) await writeReport(name, REPORT_WRITERS[form](report))
  console.log(json ? JSON.stringify(summaryRecord(report)) : summary(report))
  if (report.ended === null) return report.counts.failed > 0 ? 1 : 0
  writeError(`${place.base}: ${report.ended}; the report is of what was looked at before`)
  return settings.signal?.aborted ? INTERRUPTED_CODE : 2
}

/** Compares two targets; code 1 when they differ. */
async function compare(place: TargetPlace, url: string, json: boolean): Promise<number> {
  const other = placeBeside(place, url)
  await checkTarget(other.probe('first'), url)
  const found = await differences(
    () => place.probe('here'),
    () => other.probe('there'),
  )
  const lines = found.map(
    ({ operation, where }) => `${operation}\n${where.map((one) => `  ${one}\n`).join('')}`,
  )
  if (json) console.log(JSON.stringify({ differences: found }))
  else console.log(`${lines.join('')}${found.length} operations differ in form`)
  return found.length > 0 ? 1 : 0
}

const REPORT_WRITERS: Record<ReportForm, (report: Report) => string> = {
  junit: junitReport,
  html: htmlReport,
  json: jsonReport,
}

/** A line for each failure and for what keeps cases from being looked at. */
function told({ quiet }: ConformOptions, all: number): Partial<ConformSettings> {
  if (quiet) return {}
  const line = progressLine()
  let done = 0
  const tell = (text: string) => {
    line.clear()
    writeLine(text)
  }
  return {
    onNote: tell,
    onResult({ verdict, title, message, id }, remainingMs) {
      done++
      const failed = styled('failed', 'red', process.stderr)
      if (verdict === 'failed') tell(`${failed}  ${title}\n        ${message} [${id}]`)
      const left = remainingMs === null ? '' : `, about ${durationText(remainingMs)} left`
      if (done < all) line.show(`${done} of ${all}${left}`)
      else line.clear()
    },
  }
}

const durationText = (ms: number): string =>
  ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`

function summaryRecord({ target, ended, counts, requirements, schemas }: Report) {
  const looked = requirements.filter((one) => one.looked)
  return {
    target,
    ended,
    passed: counts.passed,
    failed: counts.failed,
    skipped: counts.skipped,
    requirements: { looked: looked.length, total: requirements.length },
    schemas: { seen: schemas.seen, total: schemas.total },
  }
}

function summary(report: Report): string {
  const { passed, failed, skipped, requirements, schemas } = summaryRecord(report)
  return (
    `${passed} passed, ${failed} failed, ${skipped} skipped; ` +
    `${requirements.looked} of ${requirements.total} requirements looked at, ` +
    `${schemas.seen} of ${schemas.total} parts of schemas seen`
  )
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await Bun.write(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    throw new UserError(`cannot write the report ${file}: ${(error as Error).message}`)
  }
}
