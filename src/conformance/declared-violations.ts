/** Checks responses and pushes against their declarations, whatever the request. */

import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import type { Envelope, Operation } from '../contract/operation.ts'
import type { TimeUnit, TSchema } from '../contract/schema.ts'
import { channelOf, operationAt, pushedData } from './answer-content.ts'
import type { Flaw } from './probe.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'
import {
  isJsonObject,
  isNonDecreasing,
  isNonIncreasing,
  isSuccessBody,
  type JsonObject,
} from './responses.ts'

/** Where a successful response differs from its envelope or schema, or null. */
export function answerFlaw(exchange: ProbeExchange): Flaw | null {
  const { method, path, json } = exchange
  const operation = operationAt(method, path)
  if (!operation || operation.servedWhen || !isJsonObject(json) || !isSuccessBody(json)) return null
  const { data } = json
  const flaw =
    wrappingFlaw(operation, exchange) ??
    (operation.envelope.kind === 'C' && !operation.envelope.data ? null : dataFlaw(operation, data))
  return flawOf(operation, flaw, data)
}

function flawOf(
  of: { id: string; data: TSchema },
  flaw: string | null,
  data: unknown,
): Flaw | null {
  if (flaw === null) return null
  const evidence = schemaDifference(of.data, data)
  return { message: `${of.id}: ${flaw}`, ...(evidence ? { evidence } : {}) }
}

const dataFlaw = (operation: Operation, data: unknown): string | null =>
  schemaMismatch(operation.data, data) ??
  fractionMismatch(operation.data, data) ??
  rowsFlaw(operation, data)

/** Flaw of a success's envelope; which envelope may be open. */
function wrappingFlaw(
  { envelope, envelopeByAnswer }: Operation,
  { status, contentType, json }: ProbeExchange,
): string | null {
  // Of a refusal it is the code that is wrong.
  if (status >= 400) return `a refusal with HTTP ${status} has a code or words of success`
  if (status !== 200) return `a success is HTTP 200, not ${status}`
  if (!/json/.test(contentType)) return `the answer says that it is JSON, not ${contentType}`
  const forms = [envelope, ...Object.values<Envelope>(envelopeByAnswer?.is ?? {})]
  const flaws = forms.map((form) => envelopeMismatch(form, json))
  return flaws.includes(null) ? null : (flaws[0] ?? null)
}

/** Where the data of a push differs from its schema; null for none, and for other frames. */
export function frameFlaw(path: string, frame: SocketFrame): Flaw | null {
  // The wording of errors is open.
  const channel = frame.type === 'error' ? undefined : channelOf(path, frame)
  if (!channel) return null
  const data = pushedData(frame)
  return flawOf(channel, schemaMismatch(channel.data, data), data)
}

// Fractions written as percentages, which a schema alone does not detect.

/** Where most values of a field declared a fraction are above one; null for none. */
function fractionMismatch(schema: TSchema, value: unknown): string | null {
  if (!hasFractions(schema)) return null
  const found = new Map<string, number[]>()
  collect(schema, value, 'data', found)
  for (const [path, values] of found) {
    const above = values.filter((one) => Math.abs(one) > 1)
    // Single values may be odd, such as the margin of an account in debt, but not most of them.
    if (values.length >= ENOUGH && above.length * 2 > values.length)
      return `${path}: expected a fraction of one, found ${above[0]}`
  }
  return null
}

/** Number of values that cannot be chance. */
const ENOUGH = 3

/** Fractions of a whole, as worded in declarations; returns on margin may exceed one. */
const FRACTION = /^(?!.*(times 100|margin at|;)).*(fraction|part of (the|them|what))/

const isFraction = ({ description = '', type, anyOf }: TSchema): boolean =>
  !anyOf && (type === 'string' || type === 'number') && FRACTION.test(description)

const known = new WeakMap<TSchema, boolean>()

/** Most responses have none and are skipped. */
function hasFractions(schema: TSchema): boolean {
  const has = known.get(schema)
  if (has !== undefined) return has
  known.set(schema, false)
  const inner = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})]
  const found = isFraction(schema) || inner.flat().some((one) => one && hasFractions(one))
  known.set(schema, found)
  return found
}

function collect(schema: TSchema, value: unknown, path: string, found: Map<string, number[]>) {
  for (const branch of (schema.anyOf as TSchema[] | undefined) ?? [])
    if (hasFractions(branch)) collect(branch, value, path, found)
  if (isFraction(schema)) {
    const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
    if (count !== 0) found.set(path, [...(found.get(path) ?? []), count])
  } else if (Array.isArray(value)) {
    if (schema.items && !Array.isArray(schema.items) && hasFractions(schema.items))
      for (const item of value) collect(schema.items, item, `${path}[]`, found)
  } else if (isJsonObject(value))
    for (const [name, field] of Object.entries(
      (schema.properties ?? {}) as Record<string, TSchema>,
    ))
      if (hasFractions(field)) collect(field, value[name], `${path}.${name}`, found)
}

// Flaws of lists of any kind: repeated rows, or times out of order.

/** Flaw of the rows of data, or of the lists in it; null for none. */
export function rowsFlaw({ id }: Operation, data: unknown): string | null {
  if (COLUMNS.test(id)) return null
  for (const [name, rows] of listsIn(data)) {
    const twice = repeated(rows)
    if (twice !== null) return `${name} has a row twice: ${twice.slice(0, 200)}`
    if (ORDERED[id] === undefined || !isOutOfOrder(rows, ORDERED[id])) continue
    return `${name} is in order of time, ${WORDS[ORDERED[id]]}`
  }
  return null
}

/** Operations whose lists may be columns, two of which may be equal (open). */
const COLUMNS = /^indicator\.(klines|records)$/

/** The data itself, or the lists in it. */
function listsIn(data: unknown): [name: string, rows: readonly unknown[]][] {
  if (Array.isArray(data)) return [['data', data]]
  if (!isJsonObject(data)) return []
  return Object.entries(data).flatMap(([name, rows]) =>
    Array.isArray(rows) ? [[`data.${name}`, rows] as [string, unknown[]]] : [],
  )
}

/** A row equal to an earlier one, as text. */
function repeated(rows: readonly unknown[]): string | null {
  const seen = new Set<string>()
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || isFillWithoutId(row)) return null
    const text = JSON.stringify(row)
    if (seen.has(text)) return text
    seen.add(text)
  }
  return null
}

/** Orders and TWAPs may have equal fills: only a trade id distinguishes them. */
const isFillWithoutId = (row: object): boolean =>
  !('tid' in row) && (('oid' in row && 'price' in row) || ('twapId' in row && 'px' in row))

type Direction = 'rising' | 'falling' | 'either'

const WORDS: Record<Direction, string> = {
  rising: 'the oldest first',
  falling: 'the newest first',
  either: 'one way or the other',
}

/** Lists with an order of time by the contract, or histories; the direction may be open. */
const ORDERED: Readonly<Record<string, Direction>> = {
  'futures.fundingRateHistory': 'rising',
  'futures.weightedFundingRateHistory': 'rising',
  'futures.stablecoinInterestHistory': 'rising',
  'futures.coinMarginInterestHistory': 'rising',
  'futures.liquidationHistory': 'rising',
  'futures.estimatedLiquidationHistory': 'rising',
  'perpdex.filledOrdersLatest': 'falling',
  'perpdex.ordersLatest': 'falling',
  'perpdex.fillsOfAddress': 'either',
  'perpdex.klinesWithTakerVol': 'either',
  'perpdex.currentPositionPnl': 'either',
  'perpdex.completedPositionPnl': 'either',
  'perpdex.currentPositionExecutions': 'either',
  'perpdex.completedPositionExecutions': 'either',
  'perpdex.openInterestHistory': 'either',
  'perpdex.pnls': 'either',
  'perpdex.portfolio': 'either',
}

function isOutOfOrder(rows: readonly unknown[], direction: Direction): boolean {
  const times = rows.map(timeOf)
  if (!times.every((time) => time !== null)) return false
  if (direction === 'rising') return !isNonDecreasing(times)
  if (direction === 'falling') return !isNonIncreasing(times)
  return !isNonDecreasing(times) && !isNonIncreasing(times)
}

// Times of rows in any format.

/** Time of the oldest row, ms; null when rows have none. */
export function oldestTime(rows: readonly unknown[]): number | null {
  const times = rows.map(timeOf).filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Time of a row, ms; null for none. */
export function timeOf(row: unknown): number | null {
  if (Array.isArray(row)) return instantMs(row[0])
  if (!isJsonObject(row)) return instantMs(row)
  const name = TIME_NAMES.find((one) => row[one] !== undefined && row[one] !== null)
  return name === undefined ? null : instantMs(row[name])
}

/** An instant in ms, s, digits or ISO 8601, converted to ms; null for anything else. */
export function instantMs(value: unknown): number | null {
  if (typeof value === 'string' && !/^\d+$/.test(value)) {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? null : ms
  }
  const count = Number(value)
  if (!Number.isFinite(count) || count <= 0) return null
  return count < 1e11 ? count * 1000 : count
}

const TIME_NAMES = [
  'time',
  'timestamp',
  'openTime',
  'closeTime',
  'startTime',
  'createTime',
  'createtime',
  'statusTimestamp',
]

// Checks values against declarations.

// Times in another unit or format than declared, which a schema alone does not detect.

/** Where a time differs from its declaration; null for none. */
const timeMismatch = (schema: TSchema, value: unknown): string | null =>
  checkOf(schema)?.(value, 'data') ?? null

/** Flaw of the times in a value. */
type ValueCheck = (value: unknown, path: string) => string | null

const checks = new WeakMap<TSchema, ValueCheck | null>()

/** Built once per schema: null for schemas without times, which are most of a response. */
function checkOf(schema: TSchema): ValueCheck | null {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const made = newCheck(schema)
  checks.set(schema, made)
  return made
}

function newCheck(schema: TSchema): ValueCheck | null {
  const unit = schema['x-time'] as TimeUnit | undefined
  if (unit !== undefined) return (value, path) => unitFlaw(unit, value, path)
  if (schema.anyOf) return unionCheck(schema.anyOf as TSchema[])
  if (schema.items) return listCheck(schema.items as TSchema | TSchema[])
  return fieldsCheck(Object.entries((schema.properties ?? {}) as Record<string, TSchema>))
}

function unionCheck(branches: readonly TSchema[]): ValueCheck | null {
  if (branches.every((branch) => checkOf(branch) === null)) return null
  return (value, path) => {
    const fitting = branches.filter((branch) => Value.Check(branch, value))
    const flaws = fitting.map((branch) => checkOf(branch)?.(value, path) ?? null)
    return flaws.includes(null) ? null : (flaws[0] ?? null)
  }
}

function listCheck(items: TSchema | readonly TSchema[]): ValueCheck | null {
  const checkAt = (at: number) => {
    const schema = Array.isArray(items) ? items[at] : items
    return schema ? checkOf(schema) : null
  }
  if ([items].flat().every((item) => checkOf(item) === null)) return null
  return (value, path) => {
    if (!Array.isArray(value)) return null
    for (const [at, item] of value.entries()) {
      const flaw = checkAt(at)?.(item, `${path}.${at}`) ?? null
      if (flaw !== null) return flaw
    }
    return null
  }
}

function fieldsCheck(fields: readonly [name: string, TSchema][]): ValueCheck | null {
  const timed = fields.flatMap(([name, field]) => {
    const look = checkOf(field)
    return look ? [{ name, look }] : []
  })
  if (timed.length === 0) return null
  return (value, path) => {
    if (!isJsonObject(value)) return null
    for (const { name, look } of timed) {
      const flaw = look(value[name], `${path}.${name}`)
      if (flaw !== null) return flaw
    }
    return null
  }
}

/** Plausible years, in s. */
const [FROM_S, TO_S] = [946_684_800, 4_102_444_800]

/** A missing time is 0, or empty. */
function unitFlaw(unit: TimeUnit, value: unknown, path: string): string | null {
  if (value === null || value === undefined || value === 0 || value === '' || value === '0')
    return null
  return FITS[unit](value)
    ? null
    : `${path}: expected ${UNIT_WORDS[unit]}, found ${JSON.stringify(value)}`
}

const isWithin = (value: unknown, perS: number): boolean =>
  Number(value) >= FROM_S * perS && Number(value) < TO_S * perS
const isTextOf = (value: unknown, form: RegExp): boolean =>
  typeof value === 'string' && form.test(value)

const FITS: Record<TimeUnit, (value: unknown) => boolean> = {
  ms: (value) => isWithin(value, 1000),
  s: (value) => isWithin(value, 1),
  sOrMs: (value) => isWithin(value, 1000) || isWithin(value, 1),
  msDigits: (value) => isWithin(value, 1000),
  sDigits: (value) => isWithin(value, 1),
  iso: (value) => isTextOf(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/),
  text: (value) => isTextOf(value, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
}

const UNIT_WORDS: Record<TimeUnit, string> = {
  ms: 'a time in milliseconds',
  s: 'a time in seconds',
  sOrMs: 'a time in seconds or milliseconds',
  msDigits: 'a time in milliseconds',
  sDigits: 'a time in seconds',
  iso: 'a time as ISO 8601 writes it',
  text: 'a time as YYYY-MM-DD HH:mm:ss',
}

/** Where and how a value differs from its schema, or a time from its unit; null for none. */
export function schemaMismatch(schema: TSchema, value: unknown): string | null {
  // Finding the error takes many times as long as the check.
  const error = Value.Check(schema, value) ? undefined : Value.Errors(schema, value).First()
  if (!error) return timeMismatch(schema, value)
  const { path, message, value: found } = deepest(error)
  const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing'
  return `data${path.replaceAll('/', '.')}: ${message.toLowerCase()}, found ${shown}`
}

/**
 * The innermost object with the flaw, as expected and as found; null for none, or without an object
 * around it.
 */
function schemaDifference(
  schema: TSchema,
  value: unknown,
): { expected: unknown; found: unknown } | null {
  const error = Value.Check(schema, value) ? undefined : Value.Errors(schema, value).First()
  if (!error) return null
  const { path, schema: wanted, type } = deepest(error)
  const names = path.split('/').slice(1)
  const last = names.pop() ?? ''
  const around = names.reduce<unknown>((at, name) => (at as JsonObject)?.[name], value)
  if (!isJsonObject(around)) return { expected: wantedText(wanted), found: value ?? null }
  const { [last]: _, ...others } = around
  const isTooMuch = type === ValueErrorType.ObjectAdditionalProperties
  const expected = isTooMuch ? others : { ...around, [last]: wantedText(wanted) }
  return { expected, found: around }
}

/** Short text of a schema's requirement. */
function wantedText({
  type,
  const: one,
  enum: words,
  anyOf,
  pattern,
  description,
}: TSchema): string {
  const name =
    one !== undefined || words
      ? ((words as unknown[] | undefined) ?? [one]).map((word) => JSON.stringify(word)).join(' or ')
      : anyOf
        ? (anyOf as TSchema[]).map(wantedText).join(' or ')
        : (type ?? 'anything')
  const about = [description, pattern].find((text) => typeof text === 'string')
  return about === undefined || anyOf ? `(${name})` : `(${name}: ${about})`
}

/**
 * If no branch of a union fits, the nearest one is taken as intended, and its first flaw reported.
 */
function deepest(error: ValueError): ValueError {
  const branches = error.errors.map((all) => [...all])
  const [nearest] = branches.sort((a, b) => a.length - b.length || depthOf(b) - depthOf(a))
  const inner = nearest?.[0] ? deepest(nearest[0]) : error
  return inner.path.length > error.path.length ? inner : error
}

const depthOf = ([first]: readonly ValueError[]): number => first?.path.split('/').length ?? 0

/** Flaw of a successful response's envelope; null for none. */
export function envelopeMismatch(envelope: Envelope, json: unknown): string | null {
  if (envelope.kind === 'bare') return null
  if (!isJsonObject(json)) return 'the answer is a JSON object'
  for (const [name, value] of Object.entries(expectedFields(envelope))) {
    if (!(name in json)) return `envelope ${envelope.kind} has the field ${name}`
    const [right, found] = [JSON.stringify(value), JSON.stringify(json[name])]
    if (value !== ANY && json[name] !== value)
      return `${name} of envelope ${envelope.kind} is ${right}, not ${found}`
  }
  return null
}

const ANY = Symbol('any')

function expectedFields(envelope: Exclude<Envelope, { kind: 'bare' }>): Record<string, unknown> {
  switch (envelope.kind) {
    case 'A':
      return { success: true, errorCode: 200, error: '', data: ANY }
    case 'B':
      return { code: envelope.code, [envelope.text]: ANY, data: ANY }
    case 'C':
      return {
        success: true,
        ...(envelope.data ? { data: ANY } : {}),
        ...(envelope.message === null ? {} : { message: ANY }),
      }
  }
}
