/** The flags of `tapewright conform`, read. */

import { HOUR_MS } from '../../clock/durations.ts'
import type { KnownFailures } from '../../conformance/known-failures.ts'
import type { Target, TargetKey } from '../../conformance/target.ts'
import { UserError } from '../../user-error.ts'
import type { FlagValues } from '../command.ts'
import { controlToken } from '../environment.ts'
import { readCastFile } from './cast-file.ts'
import type { CONFORM } from './declaration.ts'
import { baselineOf, expectationOf } from './known-failures.ts'

/** A report that is asked for; `github` goes where GitHub looks for it. */
export type AskedReport = { form: FileForm; file: string } | { form: 'github' }

const FILE_FORMS = ['junit', 'html', 'json', 'md'] as const
export type FileForm = (typeof FILE_FORMS)[number]

export type ConformOptions = ReturnType<typeof conformOptions>

/** What is to be checked, and which reports are written. */
export function conformOptions(values: FlagValues<typeof CONFORM.flags>) {
  const { watch, key, secret, control } = values
  const base = watch ?? values.target ?? ''
  if (watch !== undefined) checkWatched(values)
  if (control === undefined && (!base || !key || !secret))
    throw new UserError(
      'conform needs --target, --key and --secret, or --control; see tapewright conform --help',
    )
  if (control !== undefined && base !== '')
    throw new UserError('conform takes --target or --control, not both')
  if (control === undefined && !/^https?:\/\//.test(base))
    throw new UserError(
      `--${watch === undefined ? 'target' : 'watch'} must begin with http, not "${base}"`,
    )
  if (control !== undefined && values.cast !== undefined)
    throw new UserError('--cast needs --target: a sandbox made for the run has its own list')
  const reports = values.report.map(askedReport)
  const { only, exclude, quiet, json, observe, diff, patience: patienceMs } = values
  const place =
    control === undefined
      ? { baseUrl: base, ...keysOf(values), ...castOf(values) }
      : { controlUrl: control, controlToken: controlToken() ?? undefined }
  const settings = { ...place, patienceMs, ...drivenBy(values), known: knownOf(values) }
  const watched =
    watch === undefined ? null : { everyMs: values.every ?? HOUR_MS, file: values.watchFile }
  return { settings, reports, only, exclude, quiet, json, observe, diff, watched }
}

/** A watch runs no cases. */
function checkWatched(values: FlagValues<typeof CONFORM.flags>): void {
  const { target, control, diff, observe, baseline, only, exclude, expect, report } = values
  const given = { target, control, diff, observe, baseline, only, exclude, expect, report }
  const [other] = Object.entries(given).filter(([, value]) => value?.length)
  if (other)
    throw new UserError(`--watch runs no cases and writes no report: leave --${other[0]} out`)
}

/** A report that `--report` asks for. */
export function askedReport(said: string): AskedReport {
  if (said === 'github') return { form: said }
  const [name = '', ...rest] = said.split('=')
  const form = FILE_FORMS.find((one) => one === name)
  const file = rest.join('=')
  if (form !== undefined && file !== '') return { form, file }
  const known = FILE_FORMS.map((one) => `${one}=FILE`).join(', ')
  throw new UserError(`--report must be ${known} or github, not "${said}"`)
}

/** The failures that were known before. */
export function knownOf({ expect, baseline }: FlagValues<typeof CONFORM.flags>): KnownFailures {
  const failed = baseline === undefined ? {} : { baseline: baselineOf(baseline) }
  return { expected: expect.map(expectationOf), ...failed }
}

const castOf = ({ cast }: FlagValues<typeof CONFORM.flags>) =>
  cast === undefined ? {} : { inventory: readCastFile(cast) }

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
