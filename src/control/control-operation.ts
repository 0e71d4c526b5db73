/**
 * An operation of the control plane: declared like one of the contract, with its own list.
 * Unlike the contract, it refuses what it does not know: a field that does nothing would mislead.
 */
import { isSlices, type Slices } from '../clock/turns.ts'
import type { Static, TObject, TSchema } from '../contract/schema.ts'
import { jsonResponse } from '../pipeline/http-message.ts'
import type { Registry } from '../sandbox/registry.ts'
import { UserError } from '../user-error.ts'
import { ControlCall } from './control-call.ts'
import { ControlError } from './control-errors.ts'
import { readInput } from './control-input.ts'
import type { ControlRequest, ControlResponse, ControlRoute } from './control-route.ts'
import { jsonText, type WrittenJson } from './json-text.ts'
import { linkTo, Page } from './page.ts'

interface Declaration<P extends TObject, Q extends TObject, B extends TObject, D extends TSchema> {
  id: string
  method: ControlRoute['method']
  /** Relative to `/_control`. */
  path: string
  title: string
  about?: string
  /** Moves the clock or the playhead: one begins when the one before has ended. */
  movesTime?: boolean
  /** Ends whatever else is asked of the sandbox just now, and is let in however much that is. */
  endsOthers?: boolean
  /** Of its body, where more is taken than of others. */
  maxBodyBytes?: number
  params?: { path?: P; query?: Q; body?: B }
  data: D
}

interface ControlInput<P, Q, B> {
  path: P
  query: Q
  body: B
}

export interface ControlOperation extends Declaration<TObject, TObject, TObject, TSchema> {
  answer: (input: ControlInput<never, never, never>, call: ControlCall) => unknown
  /** The same as server-sent events, for `Accept: text/event-stream`. */
  stream?: (input: ControlInput<never, never, never>, call: ControlCall) => ReadableStream<string>
}

/** Declares an operation of the control plane; long work gives slices, a long list a page. */
export function controlOperation<
  D extends TSchema,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TObject = TObject<Record<never, never>>,
>(
  declaration: Declaration<P, Q, B, D> & {
    answer: (
      input: ControlInput<Static<P>, Static<Q>, Static<B>>,
      call: ControlCall,
    ) => Static<D> | Promise<Static<D>> | Slices<Static<D> | Page<Static<D>> | WrittenJson>
    stream?: (
      input: ControlInput<Static<P>, Static<Q>, Static<B>>,
      call: ControlCall,
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
    maxBodyBytes: operation.maxBodyBytes,
    answer: (request) => perform(operation, registry, request),
  }
}

async function perform(
  operation: ControlOperation,
  registry: Registry,
  request: ControlRequest,
): Promise<ControlResponse> {
  const call = new ControlCall(registry, request)
  try {
    const input = readInput(operation.params ?? {}, request) as Input
    if (operation.path.includes('/:id')) call.sandbox()
    if (operation.stream && request.headers.get('accept')?.includes(EVENT_STREAM))
      return { status: 200, contentType: EVENT_STREAM, body: operation.stream(input, call) }
    if (!operation.endsOthers) call.onClose(call.pending.enter('calls'))
    const work = answerWork(operation, input, call)
    const ordered = operation.movesTime ? call.pending.oneByOne(work) : work
    return await registry.turns.run(call.owner, responseWork(operation, ordered, request, registry))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const status = error instanceof ControlError ? error.status : 400
    return jsonResponse(status, JSON.stringify({ error: error.message }))
  } finally {
    call.close()
  }
}

type Input = ControlInput<never, never, never>
const EVENT_STREAM = 'text/event-stream'

/** An operation may answer at once, later, or in slices. */
function* answerWork(
  operation: ControlOperation,
  input: Input,
  call: ControlCall,
): Slices<unknown> {
  call.checkWanted()
  const answer = operation.answer(input, call)
  if (isSlices(answer)) return yield* answer
  if (!(answer instanceof Promise)) return answer
  let data: unknown
  yield answer.then((value) => {
    data = value
  })
  return data
}

/** What was answered as a response, when it is kept. */
function* responseWork(
  { method, path }: ControlOperation,
  work: Slices<unknown>,
  { params, query }: ControlRequest,
  registry: Registry,
): Slices<ControlResponse> {
  const answer = yield* work
  if (method !== 'GET') registry.commitChanges(params.id ?? '')
  const { data, next } = answer instanceof Page ? answer : { data: answer, next: null }
  const text = yield* jsonText(data ?? {})
  if (next === null) return jsonResponse(200, text)
  const asked = `/_control${path}`.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return jsonResponse(200, text, { link: linkTo(next, asked, query) })
}
