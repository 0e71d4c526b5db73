/** What an operation is asked with, as a list. */
import type { Operation } from './operation.ts'
import type { TSchema } from './schema.ts'

export interface Parameter {
  place: 'path' | 'query' | 'body'
  name: string
  schema: TSchema
  /** Neither optional nor filled in when it is left out. */
  required: boolean
}

/** Every parameter of an operation: path, query, fields of the body, in this order. */
export function parametersOf({ params }: Operation): Parameter[] {
  return [
    ...fieldsOf('path', params.path),
    ...fieldsOf('query', params.query),
    ...fieldsOf('body', params.body),
  ]
}

/** The fields of a schema as parameters; none when it is not an object's. */
export function fieldsOf(place: Parameter['place'], schema: TSchema | undefined): Parameter[] {
  const required = new Set((schema?.required as string[] | undefined) ?? [])
  const properties = (schema?.properties ?? {}) as Record<string, TSchema>
  return Object.entries(properties).map(([name, field]) => ({
    place,
    name,
    schema: field,
    required: required.has(name) && field.default === undefined,
  }))
}
