/** The flags of `tapewright conform`, read. */

import type { Target, TargetKey } from '../../conformance/target.ts'
import { UserError } from '../../user-error.ts'
import type { FlagValues } from '../command.ts'
import type { CONFORM } from './declaration.ts'

/** Forms of a report. */
export const REPORT_FORMS = ['junit', 'html', 'json'] as const
export type ReportForm = (typeof REPORT_FORMS)[number]

export type ConformOptions = ReturnType<typeof conformOptions>

/** What is to be checked, and which reports are written. */
export function conformOptions(values: FlagValues<typeof CONFORM.flags>) {
  const { target: base = '', key, secret, control } = values
  if (control === undefined && (!base || !key || !secret))
    throw new UserError(
      'conform needs --target, --key and --secret, or --control; see tapewright conform --help',
    )
  if (control !== undefined && base !== '')
    throw new UserError('conform takes --target or --control, not both')
  if (control === undefined && !/^https?:\/\//.test(base))
    throw new UserError(`--target must begin with http, not "${base}"`)
  const reports = values.report.map((text): [ReportForm, string] => {
    const [form = '', ...rest] = text.split('=')
    const known = REPORT_FORMS.find((name) => name === form)
    if (!known || rest.join('=') === '')
      throw new UserError(`--report must be junit=FILE, html=FILE or json=FILE, not "${text}"`)
    return [known, rest.join('=')]
  })
  const { only, quiet, json, observe, diff, patience: patienceMs } = values
  const place =
    control === undefined ? { baseUrl: base, ...keysOf(values) } : { controlUrl: control }
  const settings = { ...place, patienceMs, ...drivenBy(values) }
  return { settings, reports, only, quiet, json, observe, diff }
}

/** How fast, how patiently and in which order the cases are run. */
function drivenBy(values: FlagValues<typeof CONFORM.flags>) {
  const { rate, concurrency, timeout: timeoutMs, retries, seed } = values
  return {
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
    ...(seed === undefined ? {} : { seed }),
    concurrency,
    timeoutMs,
    retries,
  }
}

function keysOf(values: FlagValues<typeof CONFORM.flags>): Omit<Target, 'patienceMs'> {
  const pair = (who: string, accessKey?: string, secretKey?: string) => {
    if ((accessKey === undefined) !== (secretKey === undefined))
      throw new UserError(`--${who}-key and --${who}-secret go together`)
    return accessKey === undefined ? {} : { [who]: { accessKey, secretKey } as TargetKey }
  }
  const full = { accessKey: values.key ?? '', secretKey: values.secret ?? '' }
  return {
    keys: {
      full,
      ...pair('partner', values.partnerKey, values.partnerSecret),
      ...pair('sub', values.subKey, values.subSecret),
      ...pair('bare', values.bareKey, values.bareSecret),
    },
    ...(values.invite === undefined ? {} : { inviteToken: values.invite }),
  }
}
