/** Checks answers and pushes by schemas. */

import { MINUTE_MS } from '../../../clock/instant.ts'
import { isJsonObject } from '../../../platform/json-object.ts'
import type { Ask } from '../continuity/backfill.ts'
import type { Element } from '../continuity/element-form.ts'
import { HISTORY_CALLS } from '../contract/history-calls.ts'
import { AnswerError, redacted } from '../errors.ts'
import type { CallParameters, OperationCall } from '../requests/request.ts'
import type { Checker, Flaw, OnMissing } from './checker.ts'

/** Schemas of answers by group and operation, and those of `info` and of the channels. */
export type Schemas = Readonly<Record<string, Readonly<Record<string, CheckedSchema>>>>

export class SchemaChecker implements Checker {
  private readonly checks = new Map<CheckedSchema, Check>()

  constructor(private readonly schemas: Schemas) {}

  check({ id, addressesMax }: OperationCall, { body }: CallParameters, data: unknown): void {
    const [group = '', name = ''] = id.split('.')
    const { type, addresses } = Object(body) as { type?: string; addresses?: unknown[] }
    const isInfo = id === 'perpdex.info'
    const flaw = isInfo ? this.flaw('info', type ?? '', data) : this.flaw(group, name, data)
    if (flaw) throw answerError(id, flaw, data)
    if (addressesMax === null || !Array.isArray(data) || !Array.isArray(addresses)) return
    const requested = Math.min(addressesMax, new Set(addresses).size)
    if (data.length >= requested) return
    const expected = `${requested} rows, one for each address, not ${data.length}`
    throw answerError(id, { path: '', expected }, data)
  }

  pushFlaw(channel: string, data: unknown): Flaw | null {
    return this.flaw('channels', channel, data)
  }

  tradeCounter(ask: Ask, coin: unknown, onMissing: OnMissing): TradeAudit {
    return new TradeAudit(ask, coin, onMissing)
  }

  private flaw(group: string, name: string, data: unknown): Flaw | null {
    const schema = this.schemas[group]?.[name]
    if (schema === undefined) return null
    let check = this.checks.get(schema)
    if (check === undefined) {
      check = compiledCheck(schema)
      this.checks.set(schema, check)
    }
    return check(data) ? null : flawOf(schema, data)
  }
}

function answerError(id: string, { path, expected }: Flaw, data: unknown): AnswerError {
  const excerpt = redacted(JSON.stringify(data) ?? '', '').slice(0, 200)
  const message = `the answer is not as the contract says: data${path} should be ${expected}`
  return new AnswerError(id, message, { status: 200, excerpt, path })
}

/**
 * Counts trades against the candles of their minutes: trades have no sequence numbers, so that a
 * loss on a sound connection has no other sign. One request a minute.
 */
class TradeAudit {
  /** By the beginning of the minute. */
  private readonly counts = new Map<number, number>()
  private auditedMs: number | null = null

  /** @param onMissing called for a minute with missing trades */
  constructor(
    private readonly ask: Ask,
    private readonly coin: unknown,
    private readonly onMissing: OnMissing,
  ) {}

  /** Counts a new trade; the first one of a minute starts the comparison. */
  count(timeMs: number): void {
    const minuteMs = timeMs - (timeMs % MINUTE_MS)
    // The first minute was not followed from its beginning.
    this.auditedMs ??= minuteMs
    const isNew = !this.counts.has(minuteMs)
    this.counts.set(minuteMs, (this.counts.get(minuteMs) ?? 0) + 1)
    const fromMs = this.auditedMs + MINUTE_MS
    if (!isNew || fromMs >= minuteMs) return
    this.auditedMs = minuteMs - MINUTE_MS
    void this.audit(fromMs, this.auditedMs)
  }

  private async audit(fromMs: number, toMs: number): Promise<void> {
    const path = { coin: this.coin, interval: '1m' }
    const query = { startTime: fromMs, endTime: toMs, limit: 2000 }
    const candles = await this.ask(HISTORY_CALLS.klinesWithTakerVol, { path, query }).catch(
      () => [],
    )
    for (const { openTime, tc } of candles as Element[]) {
      const missing = tc - (this.counts.get(openTime) ?? 0)
      if (missing > 0 && openTime >= fromMs && openTime <= toMs)
        this.onMissing(openTime, `${missing} of the ${tc} trades of this minute are missing`)
    }
    for (const minuteMs of [...this.counts.keys()])
      if (minuteMs <= toMs) this.counts.delete(minuteMs)
  }
}

// Checks values by the part of JSON Schema that the contract's answers use, fast enough for every
// frame of a stream. Additional fields are allowed.

/** As written by `scripts/checked-schemas.ts`. */
interface CheckedSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, CheckedSchema>
  required?: string[]
  patternProperties?: Record<string, CheckedSchema>
  items?: CheckedSchema | CheckedSchema[]
  minItems?: number
  anyOf?: CheckedSchema[]
  allOf?: CheckedSchema[]
}

type Check = (value: unknown) => boolean

/** The check of a schema, compiled once. */
function compiledCheck(schema: CheckedSchema): Check {
  const checks = CHECKS.flatMap((part) => part(schema) ?? [])
  const last = checks.pop() ?? (() => true)
  return checks.reduceRight((rest, check) => (value) => check(value) && rest(value), last)
}

/** The first flaw of a refused value; null where it has none. */
function flawOf(schema: CheckedSchema, value: unknown, path = ''): Flaw | null {
  for (const [name, inner, part] of innerParts(schema, value)) {
    const flaw = flawOf(inner, part, path + name)
    if (flaw) return flaw
  }
  return compiledCheck(schema)(value) ? null : { path, expected: expectedText(schema) }
}

/** The parts of a value that have a schema of their own. */
function* innerParts(
  { properties, patternProperties, items, allOf, anyOf = [] }: CheckedSchema,
  value: unknown,
): Generator<[name: string, schema: CheckedSchema, part: unknown]> {
  for (const part of allOf ?? []) yield ['', part, value]
  // Where only one alternative can be meant, its flaw is reported.
  const [meant, ...others] = anyOf.filter(({ type = '' }) => TYPES[type]?.(value))
  if (meant && others.length === 0) yield ['', meant, value]
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      const inner = Array.isArray(items) ? items[index] : items
      if (inner) yield [`[${index}]`, inner, part]
    }
    return
  }
  const [values] = Object.values(patternProperties ?? {})
  for (const [name, part] of Object.entries(value)) {
    const inner = properties?.[name] ?? values
    if (inner) yield [`.${name}`, inner, part]
  }
}

function expectedText(schema: CheckedSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf) return schema.anyOf.map(expectedText).join(' or ')
  const { type = 'a value', pattern, required = [] } = schema
  if (pattern) return `${type} like ${pattern}`
  if (Array.isArray(schema.items)) return `a list of ${schema.items.length}`
  return required.length > 0 ? `${type} with ${required.join(', ')}` : type
}

type Part = (schema: CheckedSchema) => Check | null

const TYPES: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
}

const CHECKS: readonly Part[] = [
  // Alternatives with fields or a form report their own flaws.
  ({ type = '', pattern, properties }) => (pattern || properties ? null : (TYPES[type] ?? null)),
  ({ pattern }) => {
    if (pattern === undefined) return null
    const expression = new RegExp(pattern)
    return (value) => typeof value === 'string' && expression.test(value)
  },
  (schema) => ('const' in schema ? (value) => value === schema.const : null),
  ({ enum: words }) => (words ? (value) => words.includes(value) : null),
  ({ items, minItems = 0 }) => (items ? itemsCheck(items, minItems) : null),
  ({ properties, required = [] }) => (properties ? fieldsCheck(properties, required) : null),
  ({ patternProperties }) => (patternProperties ? valuesCheck(patternProperties) : null),
  ({ anyOf }) => {
    const some = anyOf?.map(compiledCheck)
    return some ? (value) => some.some((check) => check(value)) : null
  },
  ({ allOf }) => {
    const all = allOf?.map(compiledCheck)
    return all ? (value) => all.every((check) => check(value)) : null
  },
]

function itemsCheck(items: CheckedSchema | CheckedSchema[], minItems: number): Check {
  if (Array.isArray(items)) {
    const each = items.map(compiledCheck)
    return (value) =>
      !Array.isArray(value) ||
      (value.length >= minItems && each.every((check, index) => check(value[index])))
  }
  const check = compiledCheck(items)
  return (value) => !Array.isArray(value) || value.every((one) => check(one))
}

function fieldsCheck(properties: Record<string, CheckedSchema>, required: string[]): Check {
  const fields = Object.entries(properties).map(([name, schema]) => {
    return { name, check: compiledCheck(schema), isRequired: required.includes(name) }
  })
  return (value) => {
    if (!isJsonObject(value)) return false
    for (const { name, check, isRequired } of fields) {
      const field = value[name]
      if (field === undefined ? isRequired : !check(field)) return false
    }
    return true
  }
}

function valuesCheck(patternProperties: Record<string, CheckedSchema>): Check {
  const [schema = {}] = Object.values(patternProperties)
  const check = compiledCheck(schema)
  return (value) => !isJsonObject(value) || Object.values(value).every(check)
}
