/** Values of parameters in a request, in whichever place and spelling they stand. */
import { isJsonObject, type JsonObject } from '../../../../src/conformance/responses.ts'
import { isOfType, type Parameter } from '../../../../src/contract/parameters.ts'
import type { Asked } from '../asked.ts'

/** Its name, then what else clients call it. */
export const spellings = ({ name, schema }: Parameter): string[] => [
  name,
  ...((schema['x-alias'] as string[] | undefined) ?? []),
]

/** The object of a body in which a field stands; undefined where the body is of another type. */
function holderOf({ body }: Asked, { of }: Parameter): JsonObject | undefined {
  if (!of || body === undefined) return body
  if (!isOfType(body, of.type)) return undefined
  const inner = of.within === undefined ? body : body[of.within]
  return isJsonObject(inner) ? inner : undefined
}

/** What is given; undefined when it is left out. */
export function given(asked: Asked, parameter: Parameter): unknown {
  const { path, query } = asked
  const body = holderOf(asked, parameter)
  const { place } = parameter
  for (const name of spellings(parameter)) {
    const value = place === 'path' ? path[name] : place === 'query' ? query.get(name) : body?.[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Whether it is left out of a request in which it could stand. */
export const left = (asked: Asked, parameter: Parameter): boolean =>
  given(asked, parameter) === undefined &&
  (parameter.place !== 'body' || holderOf(asked, parameter) !== undefined)

/** Writes a value in place of what is given. */
export function put(asked: Asked, parameter: Parameter, value: unknown): void {
  remove(asked, parameter)
  const { place, name } = parameter
  const body = holderOf(asked, parameter)
  if (place === 'path') asked.path[name] = String(value)
  else if (place === 'query') asked.query.set(name, String(value))
  else if (body) body[name] = value
}

/** Takes it out. */
export function remove(asked: Asked, parameter: Parameter): void {
  const { query } = asked
  const body = holderOf(asked, parameter)
  for (const name of spellings(parameter)) {
    if (parameter.place === 'query') query.delete(name)
    else if (parameter.place === 'body' && body) delete body[name]
  }
}
