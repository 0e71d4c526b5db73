/** Fractions of one that are written in percent: a schema alone does not see that. */
import type { TSchema } from '../contract/schema.ts'
import { isJsonObject } from './parsed-json.ts'

/** Where most values of a field that is declared a fraction are above one; null when none is so. */
export function fractionMismatch(schema: TSchema, value: unknown): string | null {
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
