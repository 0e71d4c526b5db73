/** `tapewright conform`: the conformance suite against anything that claims to be the service. */
import { renameSync } from 'node:fs'
import { machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import { HAND_WRITTEN } from '../conformance/cases.ts'
import { DERIVED } from '../conformance/derived.ts'
import { httpCarrier } from '../conformance/http-carrier.ts'
import { firstLook } from '../conformance/opening.ts'
import { ownSandbox } from '../conformance/own-sandbox.ts'
import { Probe } from '../conformance/probe.ts'
import { type Report, reportOf } from '../conformance/report.ts'
import { htmlReport } from '../conformance/reports/html.ts'
import { jsonReport } from '../conformance/reports/json.ts'
import { junitReport } from '../conformance/reports/junit.ts'
import { type Result, runCases } from '../conformance/runner.ts'
import type { Target, TargetKey } from '../conformance/target.ts'
import type { Command } from './command.ts'
import { flags, whole } from './flags.ts'

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
  --only TEXT            cases whose id begins so, such as answer.perpdex; may be given again
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
    const cases = [...DERIVED, ...HAND_WRITTEN].filter(
      ({ id }) => only.length === 0 || only.some((start) => id.startsWith(start)),
    )
    let done = async () => {}
    try {
      const own = options.control ? await ownSandbox(options.control, options.patienceMs) : null
      done = own?.drop ?? done
      const { base, target } = own ?? options
      if (cases.length === 0) throw new Complaint(`no case begins with ${only.join(' or ')}`)
      const carrier = httpCarrier(base, machine)
      const nonce = `conform-${machine.nowMs().toString(36)}`
      const pen = { nowS: () => Math.floor(machine.nowMs() / 1000), nonce: () => `${nonce}-first` }
      await firstLook(new Probe(target, carrier, pen), base)
      const ended = quiet ? () => {} : say
      const caseMs = 60_000 + 4 * target.patienceMs
      const results = await runCases(cases, { target, carrier, by: machine, nonce, caseMs, ended })
      const report = reportOf(base, results)
      for (const [form, file] of reports) await write(file, FORMS[form as Form](report))
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

const FORMS = { junit: junitReport, html: htmlReport, json: jsonReport }
type Form = keyof typeof FORMS

function say({ verdict, title, says, id }: Result): void {
  if (verdict === 'failed') console.error(`failed  ${title}\n        ${says} [${id}]`)
}

function summary({ counts, requirements }: Report): string {
  const looked = requirements.filter(({ verdict }) => verdict === 'held' || verdict === 'failed')
  return (
    `${counts.held} held, ${counts.failed} failed, ${counts.skipped} skipped; ` +
    `${looked.length} of ${requirements.length} requirements looked at`
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

function read(args: string[]) {
  const values = flags('conform', args, FLAGS)
  const { target: base = '', key, secret, control } = values
  if (control === undefined && (!base || !key || !secret))
    throw new Complaint(
      'conform needs --target, --key and --secret, or --control; see tapewright conform --help',
    )
  if (control === undefined && !/^https?:\/\//.test(base))
    throw new Complaint(`--target must begin with http, not "${base}"`)
  const reports = (values.report ?? []).map((one): [string, string] => {
    const [form = '', ...rest] = one.split('=')
    if (!(form in FORMS) || rest.join('=') === '')
      throw new Complaint(`--report must be junit=FILE, html=FILE or json=FILE, not "${one}"`)
    return [form, rest.join('=')]
  })
  const patienceMs = whole('--patience', values.patience, 0, 600_000)
  const { only = [], quiet } = values
  return { base, reports, only, quiet, control, patienceMs, target: targetOf(values, patienceMs) }
}

type Values = ReturnType<typeof flags<typeof FLAGS>>

function targetOf(values: Values, patienceMs: number): Target {
  const pair = (who: string, accessKey?: string, secretKey?: string) => {
    if ((accessKey === undefined) !== (secretKey === undefined))
      throw new Complaint(`--${who}-key and --${who}-secret go together`)
    return accessKey === undefined ? {} : { [who]: { accessKey, secretKey } as TargetKey }
  }
  const full = { accessKey: values.key ?? '', secretKey: values.secret ?? '' }
  return {
    keys: {
      full,
      ...pair('partner', values['partner-key'], values['partner-secret']),
      ...pair('sub', values['sub-key'], values['sub-secret']),
      ...pair('bare', values['bare-key'], values['bare-secret']),
    },
    ...(values.invite === undefined ? {} : { inviteToken: values.invite }),
    patienceMs,
  }
}

const FLAGS = {
  target: { type: 'string' },
  key: { type: 'string' },
  secret: { type: 'string' },
  'partner-key': { type: 'string' },
  'partner-secret': { type: 'string' },
  'sub-key': { type: 'string' },
  'sub-secret': { type: 'string' },
  'bare-key': { type: 'string' },
  'bare-secret': { type: 'string' },
  invite: { type: 'string' },
  control: { type: 'string' },
  only: { type: 'string', multiple: true },
  report: { type: 'string', multiple: true },
  patience: { type: 'string', default: '5000' },
  quiet: { type: 'boolean', default: false },
} as const
