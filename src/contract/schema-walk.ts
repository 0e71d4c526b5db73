/** Finds values of a schema that are marked by a keyword of ours. */
import type { TSchema } from './schema.ts'

/** The replacement of a marked value. */
type Replace<M> = (leaf: unknown, mark: M) => unknown

/** Returns a copy with other values; parts without marked values are shared. */
type Walk<M> = (value: unknown, replace: Replace<M>) => unknown

type WalkOf<M> = (schema: TSchema) => Walk<M> | null

/** A walk to values with a keyword; null without any. Compiled once for each schema. */
export function leafWalk<M extends string>(keyword: `x-${string}`): WalkOf<M> {
  const compiled = new WeakMap<TSchema, Walk<M> | null>()
  const walkOf = (schema: TSchema) => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const made = compile<M>(schema, keyword, walkOf)
    compiled.set(schema, made)
    return made
  }
  return walkOf
}

function compile<M extends string>(
  schema: TSchema,
  keyword: `x-${string}`,
  walkOf: WalkOf<M>,
): Walk<M> | null {
  const mark = schema[keyword] as M | undefined
  if (mark !== undefined) return (value, replace) => replace(value, mark)
  if (Array.isArray(schema.anyOf)) return union(schema.anyOf as TSchema[], walkOf)
  if (schema.type === 'array') return list(schema, walkOf)
  if (schema.type === 'object') return record(schema, walkOf)
  return null
}

function union<M>(members: TSchema[], walkOf: WalkOf<M>): Walk<M> | null {
  const walks = members.map(walkOf).filter((walk) => walk !== null)
  if (walks.length === 0) return null
  return (value, replace) => {
    let result = value
    for (const walk of walks) {
      result = walk(value, replace)
      if (result !== value) break
    }
    return result
  }
}

function list<M>(schema: TSchema, walkOf: WalkOf<M>): Walk<M> | null {
  const items = schema.items as TSchema | TSchema[] | undefined
  if (items === undefined) return null
  if (Array.isArray(items)) {
    const walks = items.map(walkOf)
    if (walks.every((walk) => walk === null)) return null
    return onArray<M>((value, at, replace) => walks[at]?.(value, replace) ?? value)
  }
  const walk = walkOf(items)
  return walk && onArray<M>((value, _, replace) => walk(value, replace))
}

function onArray<M>(each: (value: unknown, at: number, replace: Replace<M>) => unknown): Walk<M> {
  return (value, replace) => {
    if (!Array.isArray(value)) return value
    const shifted = value.map((item, at) => each(item, at, replace))
    return shifted.some((item, at) => item !== value[at]) ? shifted : value
  }
}

function record<M>(schema: TSchema, walkOf: WalkOf<M>): Walk<M> | null {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    .map(([name, field]) => [name, walkOf(field)] as const)
    .filter((entry): entry is [string, Walk<M>] => entry[1] !== null)
  if (fields.length === 0) return null
  return (value, replace) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Record<string, unknown>
    let shifted = given
    for (const [name, walk] of fields) {
      const moved = given[name] === undefined ? undefined : walk(given[name], replace)
      if (moved === given[name]) continue
      // Only changed values are copied, so that a union recognises its matching member.
      if (shifted === given) shifted = { ...given }
      shifted[name] = moved
    }
    return shifted
  }
}

// The leaves of data, which are no objects and no lists, each with its schema.

/** Returns the new value of a leaf; the same one to keep it. */
type Change = (leaf: unknown, schema: TSchema) => unknown

/** The data with each leaf of its schema mapped by `change`. */
export function mapLeaves(schema: TSchema, value: unknown, change: Change): unknown {
  if (schema.anyOf) return mapEither(schema.anyOf as TSchema[], value, change)
  if (Array.isArray(value)) return mapItems(schema.items as Items, value, change)
  if (typeof value !== 'object' || value === null) return change(value, schema)
  return mapFields(schema, value as Record<string, unknown>, change)
}

type Items = TSchema | TSchema[] | undefined

/** By the first member that changes something: edited data may match none. */
function mapEither(members: TSchema[], value: unknown, change: Change): unknown {
  for (const member of members) {
    const changed = mapLeaves(member, value, change)
    if (changed !== value) return changed
  }
  return value
}

function mapItems(items: Items, list: unknown[], change: Change): unknown {
  const changed = list.map((item, at) => {
    const schema = Array.isArray(items) ? items[at] : items
    return schema ? mapLeaves(schema, item, change) : item
  })
  return changed.some((item, at) => item !== list[at]) ? changed : list
}

function mapFields(schema: TSchema, row: Record<string, unknown>, change: Change): unknown {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  const [any] = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)
  const changed = Object.entries(row).map(([name, value]): [string, unknown] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : any
    return [name, field ? mapLeaves(field, value, change) : value]
  })
  return changed.some(([name, value]) => value !== row[name]) ? Object.fromEntries(changed) : row
}
