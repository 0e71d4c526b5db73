/** Requests made out of declarations: a usual one, and ones that are wrong in one place. */
import { filled, type Known } from '../src/conformance/filling.ts'
import type { Operation } from '../src/contract/operation.ts'
import type { Parameter } from '../src/contract/parameters.ts'
import type { TSchema } from '../src/contract/schema.ts'

export interface Given {
  path: Record<string, string>
  query: Record<string, string>
  /** An object that becomes JSON, or text as it is. */
  body: unknown
}

/** What the first example asks, of who there is if that is known. */
export function given(operation: Operation, known?: Known): Given {
  const { examples, params } = operation
  const [example] = examples
  const first = example && known ? filled(operation, example, known) : example
  const body = params.body === undefined ? undefined : (first?.body ?? {})
  return { path: { ...first?.path }, query: { ...first?.query }, body }
}

/** The same without a parameter, under whatever name it was given. */
export function without(usual: Given, { place, name, schema }: Parameter): Given {
  const rest = { ...(usual[place] as object) } as Record<string, unknown>
  for (const spelling of [name, ...((schema['x-alias'] as string[] | undefined) ?? [])])
    delete rest[spelling]
  return { ...usual, [place]: rest }
}

/** The same with another value of a parameter. */
export function put(usual: Given, parameter: Parameter, value: unknown): Given {
  const { place, name } = parameter
  const rest = without(usual, parameter)[place] as Record<string, unknown>
  return { ...usual, [place]: { ...rest, [name]: place === 'body' ? value : String(value) } }
}

/** Values that a parameter must refuse. */
export function wrongValues({ place, schema }: Parameter): unknown[] {
  return place === 'body' ? wrongTypes(schema) : wrongTexts(schema)
}

function wrongTexts(schema: TSchema): unknown[] {
  if (schema.anyOf) return []
  if (schema.enum || schema['x-span'] || schema.const !== undefined) return ['no such word']
  if (schema.type === 'integer')
    return ['ten', '1.5', '1e3', '99999999999999999999', ...outside(schema)]
  if (schema.type === 'number') return ['ten', '--1', '1,5', ...outside(schema)]
  if (schema.type === 'boolean') return ['perhaps', '2']
  if (schema.pattern?.includes('0x')) return ['0x12', 'address']
  return []
}

function wrongTypes(schema: TSchema): unknown[] {
  if (schema.anyOf) return []
  if (schema.enum || schema['x-span']) return ['no such word', 7, null]
  if (schema.type === 'integer') return ['7d', 1.5, true, [], null, ...outside(schema)]
  if (schema.type === 'number') return ['7d', true, [], null, ...outside(schema)]
  if (schema.type === 'boolean') return ['perhaps', 7, null]
  if (schema.type === 'array') return ['["a"]', {}, 7, null]
  if (schema.type === 'string') return [7, {}, [], null]
  return []
}

/** Numbers right outside of what is allowed. */
function outside({ minimum, maximum, exclusiveMinimum }: TSchema): number[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
  ]
}
