/** The flags of `tapewright conform`, read. */

import type { Target, TargetKey } from '../../conformance/target.ts'
import { UserError } from '../../user-error.ts'
import { integerFlag, readFlags } from '../flags.ts'

/** Forms of a report. */
export const REPORT_FORMS = ['junit', 'html', 'json'] as const
export type ReportForm = (typeof REPORT_FORMS)[number]

/** What is to be checked, and which reports are written. */
export function readConformOptions(args: string[]) {
  const values = readFlags('conform', args, FLAGS)
  const { target: base = '', key, secret, control } = values
  if (control === undefined && (!base || !key || !secret))
    throw new UserError(
      'conform needs --target, --key and --secret, or --control; see tapewright conform --help',
    )
  if (control === undefined && !/^https?:\/\//.test(base))
    throw new UserError(`--target must begin with http, not "${base}"`)
  const reports = (values.report ?? []).map((text): [ReportForm, string] => {
    const [form = '', ...rest] = text.split('=')
    const known = REPORT_FORMS.find((name) => name === form)
    if (!known || rest.join('=') === '')
      throw new UserError(`--report must be junit=FILE, html=FILE or json=FILE, not "${text}"`)
    return [known, rest.join('=')]
  })
  const patienceMs = integerFlag('--patience', values.patience, 0, 600_000)
  const { only = [], quiet, observe, diff } = values
  return {
    base,
    reports,
    only,
    quiet,
    observe,
    diff,
    control,
    patienceMs,
    target: targetOf(values, patienceMs),
  }
}

type Values = ReturnType<typeof readFlags<typeof FLAGS>>

function targetOf(values: Values, patienceMs: number): Target {
  const pair = (who: string, accessKey?: string, secretKey?: string) => {
    if ((accessKey === undefined) !== (secretKey === undefined))
      throw new UserError(`--${who}-key and --${who}-secret go together`)
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
  diff: { type: 'string' },
  observe: { type: 'string' },
  report: { type: 'string', multiple: true },
  patience: { type: 'string', default: '5000' },
  quiet: { type: 'boolean', default: false },
} as const
