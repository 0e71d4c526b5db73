/** What stands in answers and pushes that the contract does not know: fields, and words of sets. */
import { Value } from '@sinclair/typebox/value'
import type { TSchema } from '../../contract/schema.ts'
import { isJsonObject } from '../parsed-json.ts'

/** Elements of a list that are looked at. */
const ITEMS_MAX = 200

/** Told of a part, by its place and with what was found there. */
export type OnUnknown = (part: string, found: unknown) => void

/** Looks for what a value has and its schema has not; `name` is of the operation or channel. */
export function unknownParts(name: string, schema: TSchema, value: unknown, tell: OnUnknown): void {
  if (schema.anyOf) ofUnion(name, schema.anyOf as TSchema[], value, tell)
  else if (schema.enum) {
    if (!(schema.enum as unknown[]).includes(value)) tell(`a value of ${name}`, value)
  } else if (schema.const !== undefined) {
    if (schema.const !== value) tell(`a value of ${name}`, value)
  } else if (schema.type === 'array') ofList(name, schema, value, tell)
  else if (schema.type === 'object') ofFields(name, schema, value, tell)
}

function ofUnion(
  name: string,
  branches: readonly TSchema[],
  value: unknown,
  tell: OnUnknown,
): void {
  if (branches.every((branch) => branch.const !== undefined)) {
    if (!branches.some((branch) => branch.const === value)) tell(`a value of ${name}`, value)
    return
  }
  const kind = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : null
  const branch =
    branches.find((one) => Value.Check(one, value)) ?? branches.find((one) => one.type === kind)
  if (branch) unknownParts(name, branch, value, tell)
}

function ofList(name: string, { items }: TSchema, value: unknown, tell: OnUnknown): void {
  if (!Array.isArray(value)) return
  for (const [at, item] of value.slice(0, ITEMS_MAX).entries()) {
    const of = Array.isArray(items) ? (items as TSchema[])[at] : (items as TSchema | undefined)
    if (of) unknownParts(`${name}[]`, of, item, tell)
  }
}

function ofFields(name: string, schema: TSchema, value: unknown, tell: OnUnknown): void {
  if (!isJsonObject(value)) return
  const fields = (schema.properties ?? {}) as Record<string, TSchema>
  const others = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)[0]
  for (const [key, inner] of Object.entries(value)) {
    const field = fields[key] ?? others
    if (field) unknownParts(`${name}.${field === others ? '*' : key}`, field, inner, tell)
    // A schema that is open says so, or has no field at all.
    else if (schema.properties && schema.additionalProperties !== true)
      tell(`the field ${name}.${key}`, inner)
  }
}
