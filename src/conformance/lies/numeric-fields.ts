/** The numbers that a schema declares, with the objects that hold them. */

import { isNumberText, type TSchema } from '../../contract/schema.ts'
import { isJsonObject, type JsonObject } from '../responses.ts'

export interface NumericField {
  /** `[].longTurnover`. */
  path: string
  name: string
  /** Finds each object with the field. */
  holders: (value: unknown) => JsonObject[]
}

type Reach = (value: unknown) => unknown[]

/** Each number once that is no time and no number of something. */
export function numericFields(schema: TSchema): NumericField[] {
  const fields = new Map<string, NumericField>()
  for (const field of walked(schema, '', (value) => [value]))
    if (!fields.has(field.path)) fields.set(field.path, field)
  return [...fields.values()]
}

function walked(schema: TSchema, path: string, reach: Reach): NumericField[] {
  const branches = schema.anyOf as TSchema[] | undefined
  if (branches) return branches.flatMap((branch) => walked(branch, path, reach))
  const { items } = schema
  if (schema.type === 'array' && items && !Array.isArray(items))
    return walked(items, `${path}[]`, (value) =>
      reach(value).flatMap((one) => (Array.isArray(one) ? one : [])),
    )
  if (schema.type !== 'object') return []
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  return properties.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    const holders = (value: unknown) =>
      reach(value).filter((one): one is JsonObject => isJsonObject(one) && name in one)
    const inner = walked(field, at, (value) => holders(value).map((one) => one[name]))
    return isFigure(name, field) ? [{ path: at, name, holders }, ...inner] : inner
  })
}

function isFigure(name: string, schema: TSchema): boolean {
  if (NO_FIGURE.test(name)) return false
  const branches = (schema.anyOf as TSchema[] | undefined) ?? [schema]
  return branches.some(
    (one) =>
      one['x-time'] === undefined &&
      one.enum === undefined &&
      one.const === undefined &&
      (one.type === 'number' || one.type === 'integer' || isNumberText(one)),
  )
}

/** Names of things, and settings: no figures of the market. */
const NO_FIGURE = /^(oid|tid|twapId|id|\w*_id|\w*[tT]ime\w*|\w*Ms|n|decimals|szDecimals)$/
