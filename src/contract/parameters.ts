/** The parameters of an operation, as a list. */
import type { Operation } from './operation.ts'
import type { TSchema } from './schema.ts'

export interface Parameter {
  place: 'path' | 'query' | 'body'
  name: string
  schema: TSchema
  /** Neither optional nor with a default. */
  required: boolean
  /** Its type of body, and its place there unless at the top. */
  of?: { type: string; within?: string }
}

/** Every parameter of an operation: path, query, fields of the body, in this order. */
export function parametersOf({ params }: Operation): Parameter[] {
  return [
    ...fieldsOf('path', params.path),
    ...fieldsOf('query', params.query),
    ...fieldsOf('body', params.body),
  ]
}

/** The fields of a schema as parameters; none when it is no object. */
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

/** Its name; with the type of body and its place there, where it belongs to one type. */
export const fullName = ({ name, of }: Parameter): string =>
  [of?.type, of?.within, name].filter((part) => part !== undefined).join('.')

/** The additional parameters of each type of body, of the types in examples. */
export const typedParametersOf = ({ bodies, examples }: Operation): Parameter[] =>
  [...(bodies ?? [])]
    .filter(([type]) => examples.some(({ body }) => isOfType(body, type)))
    .flatMap(([type, { request }]) =>
      fieldsOf('body', request).flatMap((field) =>
        field.schema.type === 'object'
          ? fieldsOf('body', field.schema).map((inner) =>
              typed(inner, { type, within: field.name }),
            )
          : [typed(field, { type })],
      ),
    )

const typed = ({ name, place, required, schema }: Parameter, of: Parameter['of']): Parameter => ({
  place,
  name,
  schema: withoutNull(schema),
  required,
  ...(of && { of }),
})

/** Whether a body is of a type. */
export const isOfType = (body: unknown, type: string): boolean =>
  (body as { type?: unknown } | null | undefined)?.type === type

/** The only branch of a schema besides null, where there is one. */
function withoutNull(schema: TSchema): TSchema {
  const branches = ((schema.anyOf ?? []) as TSchema[]).filter(({ type }) => type !== 'null')
  return branches.length === 1 ? (branches[0] as TSchema) : schema
}
