/** Finds what a keyword of ours marks in values of a schema. */
import type { TSchema } from './schema.ts'

/** What stands in the place of a marked value. */
type Replace<M> = (leaf: unknown, mark: M) => unknown

/** Gives back a copy with other values; what holds none that is marked is shared. */
type Walk<M> = (value: unknown, replace: Replace<M>) => unknown

type WalkOf<M> = (schema: TSchema) => Walk<M> | null

/** Walks to what a keyword marks; null for a schema without it. Compiled once for each schema. */
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
      // Only what changes is copied, so a union sees which of its members it was.
      if (shifted === given) shifted = { ...given }
      shifted[name] = moved
    }
    return shifted
  }
}
