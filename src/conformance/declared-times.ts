/** Times that are not in their declared unit or form: a schema alone does not see that. */
import { Value } from '@sinclair/typebox/value'
import type { TimeUnit, TSchema } from '../contract/schema.ts'
import { isJsonObject } from './parsed-json.ts'

/** Where a time is not what its schema declares; null when each is. */
export function timeMismatch(schema: TSchema, value: unknown, path = 'data'): string | null {
  const unit = schema['x-time'] as TimeUnit | undefined
  if (unit !== undefined) return flawOf(unit, value, path)
  if (schema.anyOf) {
    const fitting = (schema.anyOf as TSchema[]).filter((branch) => Value.Check(branch, value))
    const flaws = fitting.map((branch) => timeMismatch(branch, value, path))
    return flaws.includes(null) ? null : (flaws[0] ?? null)
  }
  if (Array.isArray(value)) {
    const of = (at: number) => (Array.isArray(schema.items) ? schema.items[at] : schema.items)
    return firstFlaw(
      value.map((item, at) => () => (of(at) ? timeMismatch(of(at), item, `${path}.${at}`) : null)),
    )
  }
  if (!isJsonObject(value)) return null
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  return firstFlaw(
    fields.map(
      ([name, field]) =>
        () =>
          timeMismatch(field, value[name], `${path}.${name}`),
    ),
  )
}

function firstFlaw(looks: readonly (() => string | null)[]): string | null {
  for (const look of looks) {
    const flaw = look()
    if (flaw !== null) return flaw
  }
  return null
}

/** The years in which a service can be asked, in s. */
const [FROM_S, TO_S] = [946_684_800, 4_102_444_800]

/** What is not there yet is 0, or empty. */
function flawOf(unit: TimeUnit, value: unknown, path: string): string | null {
  if (value === null || value === undefined || value === 0 || value === '' || value === '0')
    return null
  return FITS[unit](value)
    ? null
    : `${path}: expected ${WORDS[unit]}, found ${JSON.stringify(value)}`
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

const WORDS: Record<TimeUnit, string> = {
  ms: 'a time in milliseconds',
  s: 'a time in seconds',
  sOrMs: 'a time in seconds or milliseconds',
  msDigits: 'a time in milliseconds',
  sDigits: 'a time in seconds',
  iso: 'a time as ISO 8601 writes it',
  text: 'a time as YYYY-MM-DD HH:mm:ss',
}
