/** The options of `tapewright conform`, from its flags. */

import { HOUR_MS } from '../../../clock/instant.ts'
import { allCases, rulesNamed } from '../../../conformance/conform.ts'
import type { Expectation, KnownFailures } from '../../../conformance/conform-settings.ts'
import type { Target, TargetKey } from '../../../conformance/target.ts'
import { checkFields, FieldFlaw } from '../../../contract/fields/field-check.ts'
import { nearestName } from '../../../contract/fields/nearest-name.ts'
import { readYaml } from '../../../contract/fields/yaml-text.ts'
import { type Static, Type } from '../../../contract/schema.ts'
import { controlToken } from '../../../platform/environment.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { FlagValues } from '../command.ts'
import { readJsonFile, readTextFile } from '../input-file.ts'
import type { CONFORM } from './declaration.ts'

/** A requested report; `github` is written where GitHub expects it. */
export type RequestedReport = { form: FileForm; file: string } | { form: 'github' }

const FILE_FORMS = ['junit', 'html', 'json', 'md'] as const
export type FileForm = (typeof FILE_FORMS)[number]

export type ConformOptions = ReturnType<typeof conformOptions>

/** The target to check, and the reports to write. */
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
  const reports = values.report.map(requestedReport)
  const { only, exclude, quiet, json, observe, diff, patience: patienceMs, selfTest } = values
  if (selfTest !== undefined) checkSelfTested(values)
  const place =
    control === undefined
      ? { baseUrl: base, ...keysOf(values), ...castOf(values) }
      : { controlUrl: control, controlToken: controlToken() ?? undefined }
  const settings = { ...place, patienceMs, ...drivenBy(values), known: knownOf(values) }
  const watched =
    watch === undefined ? null : { everyMs: values.every ?? HOUR_MS, file: values.watchFile }
  return { settings, reports, only, exclude, quiet, json, observe, diff, watched, selfTest }
}

/** A watch runs no cases. */
function checkWatched(values: FlagValues<typeof CONFORM.flags>): void {
  const { target, control, diff, observe, baseline, only, exclude, expect, report } = values
  const given = { target, control, diff, observe, baseline, only, exclude, expect, report }
  const [other] = Object.entries(given).filter(([, value]) => value?.length)
  if (other)
    throw new UserError(`--watch runs no cases and writes no report: leave --${other[0]} out`)
}

/** A self-test judges the suite, not the target. */
function checkSelfTested(values: FlagValues<typeof CONFORM.flags>): void {
  const { watch, diff, observe, baseline, expect, report } = values
  const given = { watch, diff, observe, baseline, expect, report }
  const [other] = Object.entries(given).filter(([, value]) => value?.length)
  if (other)
    throw new UserError(`--self-test judges the suite, not the target: leave --${other[0]} out`)
}

/** Parses the value of `--report`. */
export function requestedReport(input: string): RequestedReport {
  if (input === 'github') return { form: input }
  const [name = '', ...rest] = input.split('=')
  const form = FILE_FORMS.find((one) => one === name)
  const file = rest.join('=')
  if (form !== undefined && file !== '') return { form, file }
  const known = FILE_FORMS.map((one) => `${one}=FILE`).join(', ')
  throw new UserError(`--report must be ${known} or github, not "${input}"`)
}

/** The failures that are known from earlier runs. */
export function knownOf({ expect, baseline }: FlagValues<typeof CONFORM.flags>): KnownFailures {
  const failed = baseline === undefined ? {} : { baseline: baselineOf(baseline) }
  return { expected: expect.map(expectationOf), ...failed }
}

const castOf = ({ cast }: FlagValues<typeof CONFORM.flags>) =>
  cast === undefined ? {} : { inventory: readCastFile(cast) }

/** Speed, patience and order of the run. */
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

// Known failures in flags.

/** `answer.coin.ticker.1 until 2027-01-31: the price is a number there`. */
function expectationOf(input: string): Expectation {
  const { id = '', until = '', reason = '' } = FORM.exec(input)?.groups ?? {}
  if (reason.trim() === '' || !isDay(until))
    throw new UserError(`--expect must be "ID until 2027-01-31: REASON", not "${input}"`)
  const ids = [...allCases(), ...rulesNamed()].map((one) => one.id)
  if (ids.includes(id)) return { id, until, reason: reason.trim() }
  const nearest = nearestName(id, ids)
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`
  throw new UserError(`--expect: there is no case ${id}${hint}`)
}

/** The failed cases in the report of an earlier run. */
function baselineOf(file: string): string[] {
  const { results } = readJsonFile(file, `--baseline: ${file}`)
  if (!Array.isArray(results) || !results.every(isResult))
    throw new UserError(`--baseline: ${file} was not written by --report json=FILE`)
  return results.flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : []))
}

const FORM = /^(?<id>\S+) until (?<until>\S+): (?<reason>.+)$/s

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function isResult(value: unknown): value is { id: string; verdict: unknown } {
  return typeof (value as { id?: unknown } | null)?.id === 'string'
}

/** The file of `--cast`: coins, accounts and ids of a target that its own lists do not show. */
const Texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))
const Numbers = (description: string) => Type.Optional(Type.Array(Type.Integer(), { description }))

const CastFields = Type.Object(
  {
    addresses: Texts('accounts that trade'),
    coins: Texts('coins of the venue'),
    symbols: Texts('pairs, such as btcswapusdt:binance'),
    orders: Numbers('ids of orders'),
    builders: Texts('addresses of builders'),
    twapIds: Numbers('ids of TWAPs'),
  },
  { additionalProperties: false },
)

/** Parses such a file, YAML or JSON; a UserError names line and field of an error. */
function readCastFile(file: string): NonNullable<Target['inventory']> {
  return readYaml(
    { file, text: readTextFile(file, `--cast: ${file}`), whole: 'the cast' },
    (given) => {
      checkFields(CastFields, given, [])
      const {
        addresses = [],
        builders = [],
        twapIds = [],
        ...first
      } = given as Static<typeof CastFields>
      checkAddresses('addresses', addresses)
      checkAddresses('builders', builders)
      const named = addresses.map((address, at): [string, string] => [`given ${at + 1}`, address])
      return { first, builders, twapIds, addresses: Object.fromEntries(named) }
    },
  )
}

function checkAddresses(name: string, addresses: readonly string[]): void {
  const wrong = addresses.findIndex((address) => !/^0x[0-9a-f]{40}$/i.test(address))
  if (wrong >= 0) throw new FieldFlaw([name, wrong], 'must be 0x and 40 hexadecimal digits')
}
