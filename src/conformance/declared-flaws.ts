/** Whether what is said is what was declared of it, whatever it was asked with. */

import type { Envelope } from '../contract/envelope.ts'
import type { Operation } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'
import { rowsFlaw } from './declared-rows.ts'
import type { Flaw } from './flaw.ts'
import { isJsonObject } from './parsed-json.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'
import { saysSuccess } from './response-reading.ts'
import { channelOf, operationAt, pushedData } from './said-data.ts'
import { envelopeMismatch, schemaDifference, schemaMismatch } from './schema-mismatch.ts'

/** Where an answer of success is not wrapped as declared or its data not of its schema, or null. */
export function answerFlaw(exchange: ProbeExchange): Flaw | null {
  const { method, path, json } = exchange
  const operation = operationAt(method, path)
  if (!operation || operation.servedWhen || !isJsonObject(json) || !saysSuccess(json)) return null
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

/** How a success is told; in which envelope may be open. */
function wrappingFlaw(
  { envelope, envelopeByAnswer }: Operation,
  { status, contentType, json }: ProbeExchange,
): string | null {
  if (status !== 200) return `a success is HTTP 200, not ${status}`
  if (!/json/.test(contentType)) return `the answer says that it is JSON, not ${contentType}`
  const forms = [envelope, ...Object.values<Envelope>(envelopeByAnswer?.is ?? {})]
  const flaws = forms.map((form) => envelopeMismatch(form, json))
  return flaws.includes(null) ? null : (flaws[0] ?? null)
}

/** Where the data of a push is not of its schema; null when it is, and for other frames. */
export function frameFlaw(path: string, frame: SocketFrame): Flaw | null {
  // How an error is worded is open.
  const channel = frame.type === 'error' ? undefined : channelOf(path, frame)
  if (!channel) return null
  const data = pushedData(frame)
  return flawOf(channel, schemaMismatch(channel.data, data), data)
}

// Fractions of one that are written in percent: a schema alone does not see that.

/** Where most values of a field that is declared a fraction are above one; null when none is so. */
function fractionMismatch(schema: TSchema, value: unknown): string | null {
  if (!hasFractions(schema)) return null
  const found = new Map<string, number[]>()
  collect(schema, value, 'data', found)
  for (const [path, values] of found) {
    const above = values.filter((one) => Math.abs(one) > 1)
    // Some may be odd, such as margin of who owes more than he has: not most of them.
    if (values.length >= ENOUGH && above.length * 2 > values.length)
      return `${path}: expected a fraction of one, found ${above[0]}`
  }
  return null
}

/** So many values of a field are no chance. */
const ENOUGH = 3

/** Parts of a whole, as the declarations word them; returns on margin may well be above one. */
const FRACTION = /^(?!.*(times 100|margin at|;)).*(fraction|part of (the|them|what))/

const isFraction = ({ description = '', type, anyOf }: TSchema): boolean =>
  !anyOf && (type === 'string' || type === 'number') && FRACTION.test(description)

const known = new WeakMap<TSchema, boolean>()

/** Most answers have none: they are not walked through. */
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
