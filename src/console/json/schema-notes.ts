/** What a schema says of its fields, by their paths in the data. */
import type { SchemaNode } from '../session/documents.ts'

/** Deeper than any answer of the contract. */
const DEPTH_MAX = 12

/** Descriptions by path, as `JsonLine` has it: `data.[].coin`. */
export function schemaNotes(
  schema: SchemaNode,
  named: Readonly<Record<string, SchemaNode>>,
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>()
  note(schema, [], { named, notes })
  return notes
}

interface Reading {
  named: Readonly<Record<string, SchemaNode>>
  notes: Map<string, string>
}

function note(node: SchemaNode, path: readonly string[], reading: Reading): void {
  if (path.length > DEPTH_MAX) return
  const { named, notes } = reading
  const target = node.$ref === undefined ? node : { ...named[node.$ref.split('/').at(-1) ?? ''] }
  const name = path.join('.')
  const description = node.description ?? target.description
  if (description !== undefined && name !== '' && !notes.has(name)) notes.set(name, description)
  for (const [field, inner] of Object.entries(target.properties ?? {}))
    note(inner, [...path, field], reading)
  if (target.items) note(target.items, [...path, '[]'], reading)
  for (const inner of [...(target.anyOf ?? []), ...(target.allOf ?? [])]) note(inner, path, reading)
}
