/** Fields declared by a schema, each with its path through a value. */
import { isJsonObject, type JsonObject } from '../../../../src/conformance/responses.ts'
import type { TSchema } from '../../../../src/contract/schema.ts'

export interface SchemaField {
  /** `[].columnist.nick_name`. */
  path: string
  name: string
  schema: TSchema
  required: boolean
  /** It is in one of several forms that an open question selects. */
  inForm: boolean
  /** It takes a null. */
  nullable: boolean
  /** Finds each object with the field. */
  holders: (value: unknown) => JsonObject[]
}

/** Each field once, however many branches of a union declare it. */
export function schemaFields(schema: TSchema): SchemaField[] {
  const fields = new Map<string, SchemaField>()
  for (const field of walked(schema, { path: '', inForm: false, reach: (value) => [value] })) {
    const known = fields.get(field.path)
    if (!known) fields.set(field.path, field)
    else {
      known.required &&= field.required
      known.inForm &&= field.inForm
    }
  }
  return [...fields.values()]
}

/** A place in a schema, and the values there. */
interface Spot {
  path: string
  inForm: boolean
  reach: (value: unknown) => unknown[]
}

function walked(schema: TSchema, spot: Spot): SchemaField[] {
  const { path, reach } = spot
  const branches = (schema.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== 'null')
  if (branches) {
    const inForm = spot.inForm || branches.length > 1
    return branches.flatMap((branch) => walked(branch, { ...spot, inForm }))
  }
  const { items } = schema
  if (schema.type === 'array' && items && !Array.isArray(items))
    return walked(items, {
      ...spot,
      path: `${path}[]`,
      reach: (value) => reach(value).flatMap(elements),
    })
  if (schema.type !== 'object') return []
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  return Object.entries(properties).flatMap(([name, field]) => {
    const holders = (value: unknown) =>
      reach(value).filter((one): one is JsonObject => isJsonObject(one) && name in one)
    const at = path === '' ? name : `${path}.${name}`
    const own: SchemaField = {
      path: at,
      name,
      schema: field,
      required: required.has(name),
      inForm: spot.inForm,
      nullable: takesNull(field),
      holders,
    }
    return [
      own,
      ...walked(field, {
        ...spot,
        path: at,
        reach: (value) => holders(value).map((one) => one[name]),
      }),
    ]
  })
}

const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const takesNull = ({ type, anyOf }: TSchema): boolean =>
  type === 'null' || type === undefined
    ? ((anyOf as TSchema[] | undefined)?.some(takesNull) ?? true)
    : false
