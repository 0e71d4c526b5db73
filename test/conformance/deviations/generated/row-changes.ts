/** The rows of a list that is answered, wherever in `data` it stands. */
import { isJsonObject } from '../../../../src/conformance/responses.ts'
import type { Operation } from '../../../../src/contract/operation.ts'
import type { TSchema } from '../../../../src/contract/schema.ts'
import { type Asked, bodyOf } from '../asked.ts'
import type { Change } from '../change.ts'

/** Under which name of `data` rows stand: '' for data itself; null for no list. */
export function listNameOf({ data }: Operation): string | null {
  for (const schema of (data.anyOf as TSchema[] | undefined) ?? [data]) {
    if (schema.type === 'array') return ''
    const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    const list = properties.find(([, { type }]) => type === 'array')
    if (list) return list[0]
  }
  return null
}

/** Answers with other rows. */
export function rowsChange(
  operation: Operation,
  change: (rows: unknown[], asked: Asked) => unknown[],
  name: string | null = listNameOf(operation),
): Change {
  if (name === null) return {}
  return bodyOf(operation, (body, asked) => {
    const { data } = body
    if (Array.isArray(data) && name === '') return { ...body, data: change(data, asked) }
    const rows = isJsonObject(data) ? data[name] : undefined
    if (!isJsonObject(data) || !Array.isArray(rows)) return body
    return { ...body, data: { ...data, [name]: change(rows, asked) } }
  })
}
