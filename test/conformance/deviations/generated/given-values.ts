/** Parameter values of a request, in any place and spelling. */
import { isJsonObject, type JsonObject } from '../../../../src/conformance/responses.ts'
import { isOfType, type Parameter } from '../../../../src/contract/parameters.ts'
import type { Fetched } from '../requested.ts'

/** Its name, then its aliases. */
export const spellings = ({ name, schema }: Parameter): string[] => [
  name,
  ...((schema['x-alias'] as string[] | undefined) ?? []),
]

/** The body object that contains a field; undefined for a body of another type. */
function holderOf({ body }: Fetched, { of }: Parameter): JsonObject | undefined {
  if (!of || body === undefined) return body
  if (!isOfType(body, of.type)) return undefined
  const inner = of.within === undefined ? body : body[of.within]
  return isJsonObject(inner) ? inner : undefined
}

/** The given value; undefined when it is left out. */
export function given(requested: Fetched, parameter: Parameter): unknown {
  const { path, query } = requested
  const body = holderOf(requested, parameter)
  const { place } = parameter
  for (const name of spellings(parameter)) {
    const value = place === 'path' ? path[name] : place === 'query' ? query.get(name) : body?.[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Whether it is left out of a request that could have it. */
export const left = (requested: Fetched, parameter: Parameter): boolean =>
  given(requested, parameter) === undefined &&
  (parameter.place !== 'body' || holderOf(requested, parameter) !== undefined)

/** Replaces the given value. */
export function put(requested: Fetched, parameter: Parameter, value: unknown): void {
  remove(requested, parameter)
  const { place, name } = parameter
  const body = holderOf(requested, parameter)
  if (place === 'path') requested.path[name] = String(value)
  else if (place === 'query') requested.query.set(name, String(value))
  else if (body) body[name] = value
}

/** Removes it. */
export function remove(requested: Fetched, parameter: Parameter): void {
  const { query } = requested
  const body = holderOf(requested, parameter)
  for (const name of spellings(parameter)) {
    if (parameter.place === 'query') query.delete(name)
    else if (parameter.place === 'body' && body) delete body[name]
  }
}
