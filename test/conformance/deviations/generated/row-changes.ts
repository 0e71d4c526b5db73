/** Rows of a list in a response, anywhere in `data`. */

import type { Change } from '../../../../src/conformance/lies/lying-transport.ts'
import { isJsonObject } from '../../../../src/conformance/responses.ts'
import type { Operation } from '../../../../src/contract/operation.ts'
import type { TSchema } from '../../../../src/contract/schema.ts'
import { bodyOf, type Fetched } from '../requested.ts'

/** Name of the rows in `data`: '' for data itself; null for no list. */
export function listNameOf({ data }: Operation): string | null {
  for (const schema of (data.anyOf as TSchema[] | undefined) ?? [data]) {
    if (schema.type === 'array') return ''
    const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    const list = properties.find(([, { type }]) => type === 'array')
    if (list) return list[0]
  }
  return null
}

/** Responses with other rows. */
export function rowsChange(
  operation: Operation,
  change: (rows: unknown[], requested: Fetched) => unknown[],
  name: string | null = listNameOf(operation),
): Change {
  if (name === null) return {}
  return bodyOf(operation, (body, requested) => {
    const { data } = body
    if (Array.isArray(data) && name === '') return { ...body, data: change(data, requested) }
    const rows = isJsonObject(data) ? data[name] : undefined
    if (!isJsonObject(data) || !Array.isArray(rows)) return body
    return { ...body, data: { ...data, [name]: change(rows, requested) } }
  })
}
