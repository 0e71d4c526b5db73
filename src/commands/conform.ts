/** `tapewright conform`: the conformance suite against anything that claims to be the service. */
import { renameSync } from 'node:fs'
import { hostClock } from '../clock/system-clock.ts'
import { HAND_WRITTEN_CASES } from '../conformance/cases.ts'
import { DERIVED_CASES } from '../conformance/derived.ts'
import { httpTransport } from '../conformance/http-transport.ts'
import { observe } from '../conformance/observation.ts'
import { Probe } from '../conformance/probe.ts'
import { type Report, reportOf } from '../conformance/report.ts'
import { htmlReport } from '../conformance/reports/html.ts'
import { jsonReport } from '../conformance/reports/json.ts'
import { junitReport } from '../conformance/reports/junit.ts'
import { type Result, runCases } from '../conformance/runner.ts'
import { SchemaCoverage } from '../conformance/schema-coverage.ts'
import type { Target } from '../conformance/target.ts'
import { checkTarget } from '../conformance/target-check.ts'
import { differences } from '../conformance/target-differences.ts'
import type { TargetTransport } from '../conformance/target-transport.ts'
import { temporarySandbox } from '../conformance/temporary-sandbox.ts'
import { UserError } from '../user-error.ts'
import type { Run } from './command.ts'
import type { CONFORM } from './conform/declaration.ts'
import { conformOptions, type ReportForm } from './conform/options.ts'
import { progressLine, styled, writeError, writeLine } from './terminal.ts'

/** Checks the target that the flags name; code 2 when nothing could be judged. */
export const conform: Run<typeof CONFORM> = async ({ flags }) => {
  const options = conformOptions(flags)
  const { only, reports, quiet, json } = options
  const cases = [...HAND_WRITTEN_CASES, ...DERIVED_CASES].filter(
    ({ id }) => only.length === 0 || only.some((start) => id.startsWith(start)),
  )
  let done = async () => {}
  try {
    const own = options.control ? await temporarySandbox(options.control, options.patienceMs) : null
    done = own?.drop ?? done
    const { base, target } = own ?? options
    if (cases.length === 0) throw new UserError(`no case begins with ${only.join(' or ')}`)
    const transport = httpTransport(base)
    const nonce = `conform-${hostClock.nowMs().toString(36)}`
    const signing = {
      nowS: () => Math.floor(hostClock.nowMs() / 1000),
      nonce: () => `${nonce}-first`,
    }
    await checkTarget(new Probe(target, transport, signing), base)
    const ended = quiet ? () => {} : progress(cases.length)
    if (options.diff !== undefined) return await compare(target, transport, options.diff, json)
    const coverage = new SchemaCoverage()
    const caseTimeoutMs = 60_000 + 4 * target.patienceMs
    const settings = {
      target,
      transport,
      systemClock: hostClock,
      nonce,
      caseTimeoutMs,
      onResult: ended,
      coverage,
    }
    const report = reportOf(base, await runCases(cases, settings), coverage)
    if (options.observe !== undefined) {
      const observed = await observe(target, transport, hostClock)
      await writeReport(options.observe, `${JSON.stringify(observed, null, 2)}\n`)
    }
    for (const [form, file] of reports) await writeReport(file, REPORT_WRITERS[form](report))
    console.log(json ? JSON.stringify(summaryRecord(report)) : summary(report))
    return report.counts.failed > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    writeError(error.message)
    return 2
  } finally {
    await done()
  }
}

/** Compares two targets; code 1 when they differ. */
async function compare(
  target: Target,
  transport: TargetTransport,
  url: string,
  json: boolean,
): Promise<number> {
  let count = 0
  const signing = {
    nowS: () => Math.floor(hostClock.nowMs() / 1000),
    nonce: () => `diff-${hostClock.nowMs().toString(36)}-${count++}`,
  }
  const other = httpTransport(url)
  const there = { ...target }
  await checkTarget(new Probe(there, other, signing), url)
  const found = await differences(
    () => new Probe(target, transport, signing),
    () => new Probe(there, other, signing),
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
  const looked = requirements.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed')
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
