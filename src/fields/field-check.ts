/** Checks data against a schema, in words that say which field is wrong and what would be right. */
import type { TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { FieldFlaw, type FieldPath } from './field-flaw.ts'

/** Throws the first flaw; of several in one place the deepest. */
export function checkFields(schema: TObject, given: unknown, at: FieldPath): void {
  const [first, ...rest] = [...Value.Errors(schema, given)].sort(
    (a, b) => Number(isSurplus(b)) - Number(isSurplus(a)),
  )
  if (!first) return
  const inner = first.errors.flatMap((iterator) => [...iterator])
  const flaw = inner.find((one) => one.path.length > first.path.length) ?? rest[0] ?? first
  const error = flaw.path.startsWith(first.path) ? flaw : first
  const path = error.path.split('/').slice(1)
  const here = [...at, ...path.map((part) => (/^\d+$/.test(part) ? Number(part) : part))]
  throw new FieldFlaw(here, errorMessage(error, schema))
}

const isSurplus = ({ message }: { message: string }) => message === 'Unexpected property'

function errorMessage(
  error: { message: string; schema: object; path: string; value: unknown },
  root: TObject,
): string {
  const { description, pattern } = error.schema as { description?: string; pattern?: string }
  const about = description === undefined ? '' : ` (${description})`
  if (isSurplus(error)) {
    const parent = parentOf(root, error.path)
    const name = error.path.split('/').at(-1)
    return `is wrong: there is no "${name}"; use ${Object.keys(parent.properties).join(', ')}`
  }
  if (error.value === undefined) return `is missing${about}`
  if (pattern !== undefined) return `must be a span such as 10s, 500ms or 5m${about}`
  const not = typeof error.value === 'number' ? `, not ${error.value}` : ''
  return `is wrong: ${error.message.toLowerCase()}${not}${about}`
}

/** The object that has a path's last name as a field. */
function parentOf(schema: TObject, path: string): TObject {
  let here = schema as { properties?: Record<string, unknown>; items?: unknown }
  for (const part of path.split('/').slice(1, -1)) {
    const next = /^\d+$/.test(part) ? here.items : here.properties?.[part]
    if (next === undefined) break
    here = next as typeof here
  }
  return here as TObject
}
