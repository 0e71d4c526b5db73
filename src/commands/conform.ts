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
import type { Command } from './command.ts'
import { type ReportForm, readConformOptions } from './conform/options.ts'

const USAGE = `tapewright conform --target URL --key K --secret S [options]
       tapewright conform --control URL [options]

Checks a service against the contract, black box, over HTTP and WebSocket. Codes: 0 all passed,
1 something failed, 2 it could not run.

  --target URL           where the service is; the base URL of a sandbox too
  --key K --secret S     a key that may do everything
  --partner-key K --partner-secret S   a distributor's, for what only it may do
  --sub-key K --sub-secret S           a sub key whose level grants something
  --bare-key K --bare-secret S         a sub key whose level grants nothing
  --invite TOKEN         an invite token that may be used up
  --control URL          control plane of a stand-in, such as http://127.0.0.1:4010/_control: a
                         sandbox of its own is made, checked and dropped; no other flag is needed
  --diff URL             another target, with the same keys: where the forms of answers differ
  --only TEXT            cases whose id begins so, such as answer.perpdex; may be given again
  --observe FILE         also writes how the target answers the open questions, for
                         tapewright serve --questions FILE
  --report FORM=FILE     junit, html or json; may be given again
  --patience MS          longest wait for something to happen by itself (5000); with 60000 the
                         idle rule and pushes are looked at without a control plane too
  --quiet                no line for each failure`

export const conform: Command = {
  name: 'conform',
  summary: 'check a service against the contract',
  usage: USAGE,
  async run(args) {
    const options = readConformOptions(args)
    const { only, reports, quiet } = options
    const cases = [...HAND_WRITTEN_CASES, ...DERIVED_CASES].filter(
      ({ id }) => only.length === 0 || only.some((start) => id.startsWith(start)),
    )
    let done = async () => {}
    try {
      const own = options.control
        ? await temporarySandbox(options.control, options.patienceMs)
        : null
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
      if (options.diff !== undefined) return await compare(target, transport, options.diff)
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
      console.log(summary(report))
      return report.counts.failed > 0 ? 1 : 0
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      console.error(`tapewright: ${error.message}`)
      return 2
    } finally {
      await done()
    }
  },
}

/** Compares two targets; code 1 when they differ. */
async function compare(target: Target, transport: TargetTransport, url: string): Promise<number> {
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
  for (const { operation, where } of found)
    console.log(`${operation}\n${where.map((one) => `  ${one}`).join('\n')}`)
  console.log(`${found.length} operations differ in form`)
  return found.length > 0 ? 1 : 0
}

const REPORT_WRITERS: Record<ReportForm, (report: Report) => string> = {
  junit: junitReport,
  html: htmlReport,
  json: jsonReport,
}

/** A line for each failure; on a terminal also how far it is. */
function progress(all: number): (result: Result) => void {
  const isTerminal = process.stderr.isTTY === true
  let done = 0
  return ({ verdict, title, message, id }) => {
    done++
    if (isTerminal) process.stderr.write(`\r\u001b[K`)
    if (verdict === 'failed') console.error(`failed  ${title}\n        ${message} [${id}]`)
    if (isTerminal && done < all) process.stderr.write(`${done} of ${all}`)
  }
}

function summary({ counts, requirements, schemas }: Report): string {
  const looked = requirements.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed')
  return (
    `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped; ` +
    `${looked.length} of ${requirements.length} requirements looked at, ` +
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
