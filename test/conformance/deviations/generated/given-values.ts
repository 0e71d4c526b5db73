/** Values of parameters in a request, in whichever place and spelling they stand. */
import type { Parameter } from '../../../../src/contract/parameters.ts'
import type { Asked } from '../asked.ts'

/** Its name, then what else clients call it. */
export const spellings = ({ name, schema }: Parameter): string[] => [
  name,
  ...((schema['x-alias'] as string[] | undefined) ?? []),
]

/** What is given; undefined when it is left out. */
export function given({ path, query, body }: Asked, parameter: Parameter): unknown {
  const { place } = parameter
  for (const name of spellings(parameter)) {
    const value = place === 'path' ? path[name] : place === 'query' ? query.get(name) : body?.[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Whether it is left out of a request in which it could stand. */
export const left = (asked: Asked, parameter: Parameter): boolean =>
  given(asked, parameter) === undefined && (parameter.place !== 'body' || asked.body !== undefined)

/** Writes a value in place of what is given. */
export function put(asked: Asked, parameter: Parameter, value: unknown): void {
  remove(asked, parameter)
  const { place, name } = parameter
  if (place === 'path') asked.path[name] = String(value)
  else if (place === 'query') asked.query.set(name, String(value))
  else if (asked.body) asked.body[name] = value
}

/** Takes it out. */
export function remove({ query, body }: Asked, parameter: Parameter): void {
  for (const name of spellings(parameter)) {
    if (parameter.place === 'query') query.delete(name)
    else if (parameter.place === 'body' && body) delete body[name]
  }
}
