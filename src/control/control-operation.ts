/**
 * An operation of the control plane: declared like one of the contract, with its own list.
 * Unlike the contract, it refuses what it does not know: a field that does nothing would mislead.
 */
import { isSlices, type Slices } from '../clock/turns.ts'
import { readBody, readTextParameters } from '../contract/parameter-reader.ts'
import { isRefusal } from '../contract/refusal.ts'
import { refusalText } from '../contract/refusal-body.ts'
import type { Static, TObject, TSchema } from '../contract/schema.ts'
import { jsonResponse, parseQuery } from '../pipeline/http-message.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { UserError } from '../user-error.ts'
import type { ControlRequest, ControlResponse, ControlRoute } from './control-route.ts'

/** What the answer of an operation may use. */
export interface ControlContext {
  registry: Registry
  /** `http://host:port` that the caller reached us at. */
  origin: string
  /** The sandbox named in the path. */
  sandbox(): Sandbox
  /** Another name in the path, decoded. */
  pathParameter(part: string): string
}

interface Declaration<P extends TObject, Q extends TObject, B extends TObject, D extends TSchema> {
  id: string
  method: ControlRoute['method']
  /** Relative to `/_control`. */
  path: string
  title: string
  about?: string
  params?: { path?: P; query?: Q; body?: B }
  data: D
}

interface ControlInput<P, Q, B> {
  path: P
  query: Q
  body: B
}

export interface ControlOperation extends Declaration<TObject, TObject, TObject, TSchema> {
  answer: (input: ControlInput<never, never, never>, context: ControlContext) => unknown
  /** The same as server-sent events, for `Accept: text/event-stream`. */
  stream?: (
    input: ControlInput<never, never, never>,
    context: ControlContext,
  ) => ReadableStream<string>
}

/** Declares an operation of the control plane. */
export function controlOperation<
  D extends TSchema,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TObject = TObject<Record<never, never>>,
>(
  declaration: Declaration<P, Q, B, D> & {
    answer: (
      input: ControlInput<Static<P>, Static<Q>, Static<B>>,
      context: ControlContext,
    ) => Static<D> | Promise<Static<D>> | Slices<Static<D>>
    stream?: (
      input: ControlInput<Static<P>, Static<Q>, Static<B>>,
      context: ControlContext,
    ) => ReadableStream<string>
  },
): ControlOperation {
  return declaration as unknown as ControlOperation
}

/** The operation as a transport sees it. */
export function routeOf(operation: ControlOperation, registry: Registry): ControlRoute {
  return {
    method: operation.method,
    path: `/_control${operation.path}`,
    answer: (request) => perform(operation, registry, request),
  }
}

async function perform(
  operation: ControlOperation,
  registry: Registry,
  request: ControlRequest,
): Promise<ControlResponse> {
  try {
    const context = contextOf(registry, request)
    const input = readInput(operation, request) as ControlInput<never, never, never>
    if (operation.stream && request.headers.get('accept')?.includes(EVENT_STREAM))
      return { status: 200, contentType: EVENT_STREAM, body: operation.stream(input, context) }
    const owner = registry.get(request.params.id ?? '') ?? registry
    const data = await registry.turns.run(owner, answerWork(operation, input, context))
    if (operation.method !== 'GET') registry.commitChanges(request.params.id ?? '')
    return jsonResponse(200, JSON.stringify(data ?? {}))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const status = error instanceof NotFoundError ? 404 : error instanceof TimeoutError ? 408 : 400
    return jsonResponse(status, JSON.stringify({ error: error.message }))
  }
}

/** An operation may answer at once, later, or in slices. */
function* answerWork(
  operation: ControlOperation,
  input: ControlInput<never, never, never>,
  context: ControlContext,
): Slices<unknown> {
  const answer = operation.answer(input, context)
  if (isSlices(answer)) return yield* answer
  if (!(answer instanceof Promise)) return answer
  let data: unknown
  yield answer.then((value) => {
    data = value
  })
  return data
}

const EVENT_STREAM = 'text/event-stream'

/** What was waited for did not happen in time. */
export class TimeoutError extends UserError {}

/** What was named does not exist. */
export class NotFoundError extends UserError {}

function contextOf(registry: Registry, { params, origin }: ControlRequest): ControlContext {
  return {
    registry,
    origin,
    pathParameter: (part) => params[part] ?? '',
    sandbox() {
      const sandbox = registry.get(params.id ?? '')
      if (sandbox) return sandbox
      const known = registry.list().map(({ id }) => id)
      throw new NotFoundError(
        `no sandbox "${params.id}"; there are ${known.slice(0, 20).join(', ')}`,
      )
    },
  }
}

function readInput({ params = {} }: ControlOperation, request: ControlRequest) {
  const query = parseQuery(request.query)
  const body = parse(request.body)
  refuseUnknown('query parameter', query, params.query)
  refuseUnknown('field', body, params.body)
  const input = {
    path: params.path ? readTextParameters(params.path, request.params) : request.params,
    query: params.query ? readTextParameters(params.query, query) : {},
    body: params.body ? readBody(params.body, body) : {},
  }
  for (const part of Object.values(input))
    if (isRefusal(part)) throw new UserError(refusalText(part))
  return input
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
