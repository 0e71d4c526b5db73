/** The values of data that are no object and no list, each with what its schema says of it. */
import type { TSchema } from './schema.ts'

/** Gives another value for one; the same one to leave it. */
export type Change = (leaf: unknown, schema: TSchema) => unknown

/** The same data with each leaf that its schema knows passed through `change`. */
export function mapLeaves(schema: TSchema, value: unknown, change: Change): unknown {
  if (schema.anyOf) return mapEither(schema.anyOf as TSchema[], value, change)
  if (Array.isArray(value)) return mapItems(schema.items as Items, value, change)
  if (typeof value !== 'object' || value === null) return change(value, schema)
  return mapFields(schema, value as Record<string, unknown>, change)
}

type Items = TSchema | TSchema[] | undefined

/** By the first that has something to change: what data was edited before may fit none. */
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
