/** Reading a call of the control plane: by its declaration, and nothing that is not declared. */
import { readBody, readTextParameters } from '../contract/parameter-reader.ts'
import { isRefusal, type Refusal } from '../contract/refusal.ts'
import { refusalText } from '../contract/refusal-body.ts'
import type { TObject } from '../contract/schema.ts'
import { parseQuery } from '../pipeline/http-message.ts'
import { UserError } from '../user-error.ts'
import type { ControlRequest } from './control-route.ts'

/** The parameters that an operation takes. */
export interface ControlParameters {
  path?: TObject
  query?: TObject
  body?: TObject
}

/** The input of an operation; a UserError names what is wrong or unknown. */
export function readInput(
  params: ControlParameters,
  request: ControlRequest,
  checkBody?: (body: object) => void,
) {
  const query = parseQuery(request.query)
  const body = parse(request.body)
  refuseUnknown('query parameter', query, params.query)
  checkBody?.(body)
  refuseUnknown('field', body, params.body)
  return {
    path: params.path
      ? checked(readTextParameters(params.path, request.params), request.params)
      : request.params,
    query: params.query ? checked(readTextParameters(params.query, query), query) : {},
    body: params.body ? checked(readBody(params.body, body), body) : {},
  }
}

/** What was read; of a number that is out of its range the refusal says which one was given. */
function checked(read: unknown, given: object): unknown {
  if (!isRefusal(read)) return read
  throw new UserError(refusalText(read) + numberGiven(read, given))
}

function numberGiven(refusal: Refusal, given: object): string {
  if (refusal.refused !== 'invalid') return ''
  const value = (given as Record<string, unknown>)[refusal.parameter]
  const isNumber = typeof value === 'number' || /^-?\d{1,30}$/.test(String(value))
  return isNumber ? `, not ${value}` : ''
}

function parse(text: string): object {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UserError(`the body is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UserError('the body must be a JSON object')
  return value
}

function refuseUnknown(what: string, given: object, schema: TObject | undefined): void {
  if (schema?.additionalProperties === true) return
  const known = Object.keys(schema?.properties ?? {})
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const hint = known.length > 0 ? `use ${known.join(', ')}` : 'there is none here'
  throw new UserError(`unknown ${what} "${unknown}"; ${hint}`)
}
