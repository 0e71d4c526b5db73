/**
 * An operation of the control plane: declared like one of the contract, in its own list. Unlike the
 * contract, it refuses unknown fields: one without effect would mislead.
 */

import { awaited, isSlices, type Slices } from '../../clock/turns.ts'
import { CALL_BOUNDS, type JsonBounds, jsonBoundFlaw } from '../../contract/fields/json-bounds.ts'
import { readBody, readTextParameters } from '../../contract/parameter-reader.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import { type Static, type TObject, type TSchema, Type } from '../../contract/schema.ts'
import { UserError } from '../../platform/user-error.ts'
import { MemoryError } from '../../sandbox/memory.ts'
import type { NumberedEntries } from '../../sandbox/numbered-map.ts'
import { jsonResponse, parseQuery } from '../../sandbox/pipeline/http-message.ts'
import { bringUpToDate } from '../../sandbox/pipeline/shared-request.ts'
import type { Registry } from '../../sandbox/registry.ts'
import { StorageError } from '../../sandbox/sandbox-store.ts'
import type { ControlRequest, ControlResponse, ControlRoute } from './control-call.ts'
import { ControlCall, ControlError } from './control-call.ts'

// Parses a control call by its declaration, and refuses undeclared input.

/** The input of an operation; a UserError names what is wrong or unknown. */
function readInput({ params = {}, checkBody }: ControlOperation, request: ControlRequest) {
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
    body: params.body ? checked(readBody(params.body, body, 'values'), body) : {},
  }
}

/** Checks a parsed value; the refusal of a number out of range names the given one. */
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
  const unknown = Object.keys(given)
    .find((name) => !known.includes(name))
    ?.slice(0, 100)
  if (unknown === undefined) return
  const hint = known.length > 0 ? `use ${known.join(', ')}` : 'there is none here'
  throw new UserError(`unknown ${what} "${unknown}"; ${hint}`)
}

interface Declaration<P extends TObject, Q extends TObject, B extends TObject, D extends TSchema> {
  id: string
  method: ControlRoute['method']
  /** Relative to `/_control`. */
  path: string
  title: string
  about?: string
  /** No stored state changes, though it is no GET: it also works without a disk. */
  storesNothing?: true
  /** Moves the clock or the playhead: such calls run one after another. */
  movesTime?: boolean
  /** Drops or replaces the whole sandbox, also where replicas share it. */
  dropsSandbox?: true
  /** Ends all other calls for the sandbox, and is exempt from their bounds. */
  endsOthers?: boolean
  /** Throws all errors of its body at once; otherwise the first one is reported. */
  checkBody?: (body: object) => void
  /** Maximum size of its body, where it differs from that of other calls. */
  maxBodyBytes?: number
  /** Bounds of its body that differ from those of other calls. */
  bodyBounds?: Partial<JsonBounds>
  /** Whether it needs no token; its answer has no private data. */
  isOpen?: boolean
  /** Whether read-only guests may use it; by default for a GET. */
  isForGuests?: boolean
  /** The content type of an answer that is not JSON. */
  contentType?: string
  params?: { path?: P; query?: Q; body?: B }
  data: D
  /** Example requests, answered by a server with the default tape; by default an empty one. */
  examples?: readonly ControlExample<Static<Q>, Static<B>>[]
}

/** A request as documents show it; missing path parameters are filled in by `exampleUrl`. */
export interface ControlExample<Q = object, B = object> {
  /** Its effect, as the continuation of a heading. */
  name: string
  path?: Readonly<Record<string, string>>
  query?: Q
  body?: B
}

interface ControlInput<P, Q, B> {
  path: P
  query: Q
  body: B
}

export interface ControlOperation extends Declaration<TObject, TObject, TObject, TSchema> {
  answer: (input: ControlInput<never, never, never>, call: ControlCall) => unknown
  /** HTTP status of an answer; 200 by default. */
  status?: (data: never) => number
  /** The answer as server-sent events, for `Accept: text/event-stream`. */
  stream?: (input: ControlInput<never, never, never>, call: ControlCall) => ReadableStream<string>
}

/** Declares a control operation; long work yields slices, a long list a page. */
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
    status?: (data: Static<D>) => number
    stream?: (
      input: ControlInput<Static<P>, Static<Q>, Static<B>>,
      call: ControlCall,
    ) => ReadableStream<string>
  },
): ControlOperation {
  return declaration as unknown as ControlOperation
}

const STARTING = jsonResponse(503, '{"error":"the server is starting, see /_control/health"}', {
  'retry-after': '1',
})

/** The route of an operation for a transport; guests are recognised by their token. */
export function routeOf(
  operation: ControlOperation,
  registry: Registry,
  guestToken = '',
): ControlRoute {
  const { controlRequests } = registry.metrics
  return {
    method: operation.method,
    path: `/_control${operation.path}`,
    maxBodyBytes: operation.maxBodyBytes,
    isOpen: operation.isOpen,
    isForGuests: operation.isForGuests ?? operation.method === 'GET',
    async answer(request) {
      if (registry.metrics.isStarting && !operation.isOpen) return STARTING
      const arrivedMs = controlRequests.arrival()
      const answer = await perform(operation, registry, request, guestToken)
      controlRequests.count(operation.id, answer.status, arrivedMs)
      return answer
    },
  }
}

async function perform(
  operation: ControlOperation,
  registry: Registry,
  request: ControlRequest,
  guestToken: string,
): Promise<ControlResponse> {
  const call = new ControlCall(registry, request, guestToken)
  try {
    await prepare(operation, registry, request)
    if (operation.path.includes('/:id')) call.sandbox()
    if (!operation.endsOthers && !operation.isOpen) call.onClose(call.pending.enter('calls'))
    const input = await inputOf(operation, call, request, registry)
    if (operation.stream && request.headers.get('accept')?.includes(EVENT_STREAM))
      return { status: 200, contentType: EVENT_STREAM, body: operation.stream(input, call) }
    const work = answerWork(operation, input, call)
    const ordered = operation.movesTime ? call.pending.oneByOne(work) : work
    const response = responseWork(operation, ordered, request, registry)
    return await registry.turns.run(call.owner, response, operation.id)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return jsonResponse(statusOf(error), JSON.stringify({ error: shownMessage(error) }))
  } finally {
    call.close()
  }
}

/** Where replicas share the sandboxes, the call sees what all of them have stored. */
async function prepare(
  { path, isOpen }: ControlOperation,
  registry: Registry,
  { params: { id } }: ControlRequest,
): Promise<void> {
  if (!registry.shared || isOpen) return
  if (path.includes('/:id')) await bringUpToDate(registry, id, undefined)
  else if (path === '/sandboxes') await registry.shared.prepareAll()
}

/** A body is parsed in the turns of its sandbox, so that many large ones take turns. */
async function inputOf(
  operation: ControlOperation,
  call: ControlCall,
  request: ControlRequest,
  registry: Registry,
): Promise<Input> {
  if (request.body === '') return readInput(operation, request) as Input
  function* read(): Slices<Input> {
    const flaw = jsonBoundFlaw(request.body, { ...CALL_BOUNDS, ...operation.bodyBounds })
    if (flaw) throw new UserError(`the body ${flaw}`)
    yield
    return readInput(operation, request) as Input
  }
  return registry.turns.run(call.owner, read(), `the body of ${operation.id}`)
}

type Input = ControlInput<never, never, never>
const EVENT_STREAM = 'text/event-stream'

/** A message may quote input, which has no bound of its own. */
const shownMessage = ({ message }: UserError): string =>
  message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH)}…`

const MESSAGE_LENGTH = 6_000

function statusOf(error: UserError): number {
  if (error instanceof ControlError) return error.status
  if (error instanceof MemoryError) return 503
  return error instanceof StorageError ? error.status : 400
}

/** Answers may be immediate, later, or in slices. An immediate change is stored at once. */
function* answerWork(
  operation: ControlOperation,
  input: Input,
  call: ControlCall,
): Slices<unknown> {
  if (operation.endsOthers) call.findAgain()
  else call.checkActive()
  const ask = () => operation.answer(input, call)
  const isStored = operation.method !== 'GET' && !operation.storesNothing
  const ofSandbox = operation.path.includes('/:id')
  const shared = isStored && ofSandbox && !operation.dropsSandbox ? call.sandbox().shared : null
  if (shared) return yield* shared.exclusive(() => settled(ask()))
  const answer = isStored && ofSandbox ? call.sandbox().changes.keep(ask) : ask()
  return yield* settled(answer)
}

/** An answer that may be immediate, later, or in slices. */
function* settled(answer: unknown): Slices<unknown> {
  if (isSlices(answer)) return yield* answer
  if (!(answer instanceof Promise)) return answer
  return yield* awaited(answer)
}

/** The answer as a response, once changes are stored. */
function* responseWork(
  operation: ControlOperation,
  work: Slices<unknown>,
  { params, query }: ControlRequest,
  registry: Registry,
): Slices<ControlResponse> {
  const { method, path, contentType } = operation
  const answer = yield* work
  if (method !== 'GET') registry.get(params.id ?? '')?.changes.flushProgress()
  const { data, next } = answer instanceof Page ? answer : { data: answer, next: null }
  const status = operation.status?.(data as never) ?? 200
  if (contentType !== undefined) return { status, contentType, body: data as string }
  const text = yield* jsonText(data ?? {})
  if (next === null) return jsonResponse(status, text)
  const requested = `/_control${path}`.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return jsonResponse(status, text, { link: linkTo(next, requested, query) })
}

/** Elements serialised in one slice. */
const PIECE_LENGTH = 50

/** A value that is JSON text already. */
export class WrittenJson {
  constructor(readonly text: string) {}
}

/** Serialises a value; lists, and lists in its fields, are serialised piece by piece. */
export function* jsonText(value: unknown): Slices<string> {
  if (value instanceof WrittenJson) return value.text
  if (Array.isArray(value)) return yield* listText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields: string[] = []
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    const text = Array.isArray(field) ? yield* listText(field) : JSON.stringify(field)
    fields.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${fields.join(',')}}`
}

function* listText(list: readonly unknown[]): Slices<string> {
  const pieces: string[] = []
  for (let at = 0; at < list.length; at += PIECE_LENGTH) {
    pieces.push(JSON.stringify(list.slice(at, at + PIECE_LENGTH)).slice(1, -1))
    yield
  }
  return `[${pieces.join(',')}]`
}

// Paging of long lists.

const PAGE_MAX = 1_000

/** The query fields for the size and start of a page. */
export const pageFields = (usual: number, max: number) =>
  Type.Object({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: max,
        description: `maximum number of entries; ${usual} by default, at most ${max}`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        pattern: '^\\d{1,15}$',
        'x-form': 'what the Link header of the page before says; leave it out for the first page',
        description:
          'where the previous page ended; its `Link` header has the address of the next page',
      }),
    ),
  })

/** The page fields of most lists. */
export const PageFields = pageFields(PAGE_MAX, PAGE_MAX)

/** Data with the cursor of the next page; null on the last one. */
export class Page<T> {
  constructor(
    readonly data: T,
    readonly next: string | null,
  ) {}
}

/** A page of named entries in the order of their addition, each shown by `view`. */
export function* pageOf<V, R>(
  entries: NumberedEntries<V>,
  { limit = PAGE_MAX, cursor = '0' }: { limit?: number; cursor?: string },
  view: (value: V, name: string) => R,
): Slices<Page<R[]>> {
  const found = entries.pageAfter(Number(cursor), limit + 1)
  const shown: R[] = []
  for (const { name, value } of found.slice(0, limit)) {
    shown.push(view(value, name))
    yield
  }
  const last = found.length > limit ? found[limit - 1] : undefined
  return new Page(shown, last ? String(last.number) : null)
}

/** The `Link` header to the next page, for the requested address. */
function linkTo(next: string, path: string, query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', next)
  return `<${path}?${parameters}>; rel="next"`
}
