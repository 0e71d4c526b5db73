/** `tapewright conform`: the conformance suite against anything that claims to be the service. */
import { renameSync } from 'node:fs'
import { hostClock } from '../clock/system-clock.ts'
import { casesNamed, type JudgedPlace, judge, signing, withTarget } from '../conformance/conform.ts'
import { httpTransport } from '../conformance/http-transport.ts'
import { observe } from '../conformance/observation.ts'
import { Probe } from '../conformance/probe.ts'
import type { Report } from '../conformance/report.ts'
import { htmlReport } from '../conformance/reports/html.ts'
import { jsonReport } from '../conformance/reports/json.ts'
import { junitReport } from '../conformance/reports/junit.ts'
import type { Result } from '../conformance/runner.ts'
import { checkTarget } from '../conformance/target-check.ts'
import { differences } from '../conformance/target-differences.ts'
import { UserError } from '../user-error.ts'
import type { Run } from './command.ts'
import type { CONFORM } from './conform/declaration.ts'
import { type ConformOptions, conformOptions, type ReportForm } from './conform/options.ts'
import { progressLine, styled, writeError, writeLine } from './terminal.ts'

/** Checks the target that the flags name; code 2 when nothing could be judged. */
export const conform: Run<typeof CONFORM> = async ({ flags }) => {
  const options = conformOptions(flags)
  try {
    const cases = casesNamed(options.only)
    return await withTarget(options.settings, async (place) =>
      options.diff === undefined
        ? check(place, cases, options)
        : compare(place, options.diff, options.json),
    )
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    writeError(error.message)
    return 2
  }
}

/** Runs the suite and writes what is asked for; code 1 when something does not hold. */
async function check(
  place: JudgedPlace,
  cases: ReturnType<typeof casesNamed>,
  { quiet, json, observe: file, reports }: ConformOptions,
): Promise<number> {
  const report = await judge(place, cases, quiet ? undefined : progress(cases.length))
  if (file !== undefined) {
    const observed = await observe(place.target, place.transport, hostClock)
    await writeReport(file, `${JSON.stringify(observed, null, 2)}\n`)
  }
  for (const [form, name] of reports) await writeReport(name, REPORT_WRITERS[form](report))
  console.log(json ? JSON.stringify(summaryRecord(report)) : summary(report))
  return report.counts.failed > 0 ? 1 : 0
}

/** Compares two targets; code 1 when they differ. */
async function compare(
  { target, transport }: JudgedPlace,
  url: string,
  json: boolean,
): Promise<number> {
  const other = httpTransport(url)
  const there = { ...target }
  const own = signing(`diff-${hostClock.nowMs().toString(36)}`)
  await checkTarget(new Probe(there, other, own), url)
  const found = await differences(
    () => new Probe(target, transport, own),
    () => new Probe(there, other, own),
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

/** A line for each failure; on a terminal also how far it is. */
function progress(all: number): (result: Result) => void {
  const line = progressLine()
  let done = 0
  return ({ verdict, title, message, id }) => {
    done++
    if (verdict === 'failed') {
      line.clear()
      const failed = styled('failed', 'red', process.stderr)
      writeLine(`${failed}  ${title}\n        ${message} [${id}]`)
    }
    if (done < all) line.show(`${done} of ${all}`)
    else line.clear()
  }
}

function summaryRecord({ target, counts, requirements, schemas }: Report) {
  const looked = requirements.filter((one) => one.looked)
  return {
    target,
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
