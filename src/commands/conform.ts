/** `tapewright conform`: the conformance suite against anything that claims to be the service. */
import { renameSync } from 'node:fs'
import { machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import type { Carrier } from '../conformance/carrier.ts'
import { HAND_WRITTEN } from '../conformance/cases.ts'
import { Coverage } from '../conformance/coverage.ts'
import { DERIVED } from '../conformance/derived.ts'
import { differences } from '../conformance/difference.ts'
import { httpCarrier } from '../conformance/http-carrier.ts'
import { observe } from '../conformance/observing.ts'
import { firstLook } from '../conformance/opening.ts'
import { ownSandbox } from '../conformance/own-sandbox.ts'
import { Probe } from '../conformance/probe.ts'
import { type Report, reportOf } from '../conformance/report.ts'
import { htmlReport } from '../conformance/reports/html.ts'
import { jsonReport } from '../conformance/reports/json.ts'
import { junitReport } from '../conformance/reports/junit.ts'
import { type Result, runCases } from '../conformance/runner.ts'
import type { Target } from '../conformance/target.ts'
import type { Command } from './command.ts'
import { type ReportForm, read } from './conform/options.ts'

const USAGE = `tapewright conform --target URL --key K --secret S [options]
       tapewright conform --control URL [options]

Checks a service against the contract, black box, over HTTP and WebSocket. Codes: 0 all held,
1 something failed, 2 it could not run.

  --target URL           where the service is; the base URL of a sandbox too
  --key K --secret S     a key that may do everything
  --partner-key K --partner-secret S   a distributor's, for what only it may do
  --sub-key K --sub-secret S           a sub key whose level grants something
  --bare-key K --bare-secret S         a sub key whose level grants nothing
  --invite TOKEN         an invite token that may be used up
  --control URL          control plane of a stand-in, such as http://127.0.0.1:4010/_control: a
                         sandbox of its own is made, judged and dropped; no other flag is needed
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
    const options = read(args)
    const { only, reports, quiet } = options
    const cases = [...HAND_WRITTEN, ...DERIVED].filter(
      ({ id }) => only.length === 0 || only.some((start) => id.startsWith(start)),
    )
    let done = async () => {}
    try {
      const own = options.control ? await ownSandbox(options.control, options.patienceMs) : null
      done = own?.drop ?? done
      const { base, target } = own ?? options
      if (cases.length === 0) throw new Complaint(`no case begins with ${only.join(' or ')}`)
      const carrier = httpCarrier(base)
      const nonce = `conform-${machine.nowMs().toString(36)}`
      const pen = { nowS: () => Math.floor(machine.nowMs() / 1000), nonce: () => `${nonce}-first` }
      await firstLook(new Probe(target, carrier, pen), base)
      const ended = quiet ? () => {} : progress(cases.length)
      if (options.diff !== undefined) return await compare(target, carrier, options.diff)
      const coverage = new Coverage()
      const caseMs = 60_000 + 4 * target.patienceMs
      const settings = { target, carrier, by: machine, nonce, caseMs, ended, coverage }
      const report = reportOf(base, await runCases(cases, settings), coverage)
      if (options.observe !== undefined) {
        const observed = await observe(target, carrier, machine)
        await write(options.observe, `${JSON.stringify(observed, null, 2)}\n`)
      }
      for (const [form, file] of reports) await write(file, FORMS[form](report))
      console.log(summary(report))
      return report.counts.failed > 0 ? 1 : 0
    } catch (error) {
      if (!(error instanceof Complaint)) throw error
      console.error(`tapewright: ${error.message}`)
      return 2
    } finally {
      await done()
    }
  },
}

/** Compares two targets; code 1 when they differ. */
async function compare(target: Target, carrier: Carrier, url: string): Promise<number> {
  let count = 0
  const pen = {
    nowS: () => Math.floor(machine.nowMs() / 1000),
    nonce: () => `diff-${machine.nowMs().toString(36)}-${count++}`,
  }
  const other = httpCarrier(url)
  const there = { ...target }
  await firstLook(new Probe(there, other, pen), url)
  const found = await differences(
    () => new Probe(target, carrier, pen),
    () => new Probe(there, other, pen),
  )
  for (const { operation, where } of found)
    console.log(`${operation}\n${where.map((one) => `  ${one}`).join('\n')}`)
  console.log(`${found.length} operations differ in form`)
  return found.length > 0 ? 1 : 0
}

const FORMS: Record<ReportForm, (report: Report) => string> = {
  junit: junitReport,
  html: htmlReport,
  json: jsonReport,
}

/** A line for each failure; on a terminal also how far it is. */
function progress(all: number): (result: Result) => void {
  const isTerminal = process.stderr.isTTY === true
  let done = 0
  return ({ verdict, title, says, id }) => {
    done++
    if (isTerminal) process.stderr.write(`\r\u001b[K`)
    if (verdict === 'failed') console.error(`failed  ${title}\n        ${says} [${id}]`)
    if (isTerminal && done < all) process.stderr.write(`${done} of ${all}`)
  }
}

function summary({ counts, requirements, schemas }: Report): string {
  const looked = requirements.filter(({ verdict }) => verdict === 'held' || verdict === 'failed')
  return (
    `${counts.held} held, ${counts.failed} failed, ${counts.skipped} skipped; ` +
    `${looked.length} of ${requirements.length} requirements looked at, ` +
    `${schemas.seen} of ${schemas.total} parts of schemas seen`
  )
}

async function write(file: string, text: string): Promise<void> {
  try {
    await Bun.write(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    throw new Complaint(`cannot write the report ${file}: ${(error as Error).message}`)
  }
}
