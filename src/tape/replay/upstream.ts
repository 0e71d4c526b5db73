/** The real service, as a fallback for requests that a recording does not have. */

import { startBackgroundTimer } from '../../clock/system-clock.ts'
import type { Channel } from '../../contract/channel.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { bodyOf, type Operation } from '../../contract/operation.ts'
import { readBody, readFields, readTextParameters } from '../../contract/parameter-reader.ts'
import { parseQueryLists } from '../../contract/paths.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { TObject, TSchema } from '../../contract/schema.ts'
import { type ShownAs, tapeValue } from '../../contract/shown-value.ts'
import { CREDENTIAL_NAMES } from '../../contract/signature.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { webSocketClass } from '../../platform/web-socket.ts'
import type { HttpExchangeData } from '../recorded-data.ts'

/** A forwarded request. */
export interface UpstreamRequest {
  method: string
  /** Path and query, without the base of a sandbox. */
  target: string
  body: string
}

export interface UpstreamAnswer {
  status: number
  contentType: string
  body: string
}

export interface Upstream {
  /** Rejects when the service is unreachable. */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>
  /** Follows a subscription until the result is called. */
  follow(subscription: UpstreamSubscription, listener: UpstreamListener): () => void
}

/** Timeout of a response. */
const WAIT_MS = 30_000

/** @param sign replaces the client's signature; null leaves it unchanged */
export function upstreamAt(url: string, sign: ((target: string) => string) | null): Upstream {
  const base = url.replace(/\/$/, '')
  const socketBase = base.replace(/^http/, 'ws')
  const signed = (target: string) => (sign ? sign(target) : target)
  return {
    async ask({ method, target, body }) {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const answer = await fetch(base + signed(target), {
        method,
        signal: AbortSignal.timeout(WAIT_MS),
        redirect: 'manual',
        ...(hasBody ? { body, headers: { 'content-type': 'application/json' } } : {}),
      })
      const contentType = answer.headers.get('content-type') ?? 'application/octet-stream'
      return { status: answer.status, contentType, body: await answer.text() }
    },
    follow: ({ target, command, ping }, listener) =>
      followUpstream(() => socketBase + signed(target), { command, ping }, listener, WAIT_MS),
  }
}

// A subscription at the real service, on a connection of its own.

/** Path and command of a subscription. */
export interface UpstreamSubscription {
  /** Path and query. */
  target: string
  /** The frame that subscribes. */
  command: string
  /** The frame that keeps the connection. */
  ping: string
}

interface UpstreamListener {
  /** Takes a push, or an error of the service; acknowledgements and pongs are not forwarded. */
  onFrame(text: string): void
  /** The connection is lost, with the reason; it is retried until it is stopped. */
  onLost(why: string): void
}

/** The service closes connections that are silent for a minute. */
const PING_MS = 20_000
const RETRY_MS = 5_000

/**
 * Subscribes, and again whenever the connection is lost; the result ends it. One connection for
 * each subscription: frames do not name theirs.
 *
 * @param url address, called for each attempt as signatures age
 * @param waitMs timeout of an opening
 */
function followUpstream(
  url: () => string,
  { command, ping }: Pick<UpstreamSubscription, 'command' | 'ping'>,
  listener: UpstreamListener,
  waitMs: number,
): () => void {
  let stopped = false
  let isLost = false
  let socket: WebSocket | null = null
  let cancelTimer = () => {}
  const lose = (of: WebSocket | null, why: string) => {
    if (stopped || socket !== of) return
    socket = null
    cancelTimer()
    cancelTimer = startBackgroundTimer(RETRY_MS, connect)
    if (!isLost) listener.onLost(why)
    isLost = true
    of?.close()
  }
  const keep = (of: WebSocket) => {
    of.send(ping)
    cancelTimer = startBackgroundTimer(PING_MS, () => keep(of))
  }
  function connect(): void {
    const opened = new (webSocketClass())(url())
    socket = opened
    cancelTimer = startBackgroundTimer(waitMs, () => lose(opened, 'it does not answer'))
    opened.onopen = () => {
      cancelTimer()
      opened.send(command)
      keep(opened)
    }
    opened.onmessage = ({ data }) => {
      if (stopped || socket !== opened || typeof data !== 'string' || isReply(data)) return
      isLost = false
      listener.onFrame(data)
    }
    opened.onclose = ({ code, reason }) => lose(opened, closingText(code, reason))
  }
  connect()
  return () => {
    stopped = true
    cancelTimer()
    socket?.close()
  }
}

/** Acknowledgements and pongs, which the sandbox sends itself. */
function isReply(text: string): boolean {
  const { channel, type, data } = (jsonOf(text) ?? {}) as Record<string, unknown>
  return (
    data === undefined ||
    channel === 'subscriptionResponse' ||
    channel === 'pong' ||
    type === 'pong'
  )
}

const closingText = (code: number, reason: string): string =>
  reason === '' ? `it closed the connection with ${code}` : `it closed with ${code}, ${reason}`

// A recorded exchange, parsed by the contract.

/** The request; null for an unknown operation. */
export function recordedRequest(
  { method, url, requestBody }: Pick<HttpExchangeData, 'method' | 'url' | 'requestBody'>,
  routes: RecordedRoutes,
): ReplayRequest | null {
  const { path, query } = splitUrl(url)
  const found = routes.operationAt(method, path)
  if (!found) return null
  const { operation, params } = found
  return replayRequest({ operation, params, query, body: jsonOf(requestBody) }, AS_RECORDED)
}

/** The data of a response, out of its envelope; undefined for a refusal and for invalid JSON. */
export function recordedData(
  { envelope }: Operation,
  { status, responseBody }: Pick<HttpExchangeData, 'status' | 'responseBody'>,
): unknown {
  if (status !== 200) return undefined
  const body = jsonOf(responseBody)
  if (envelope.kind === 'bare') return body
  if (typeof body !== 'object' || body === null) return undefined
  const { success, code, data } = body as Record<string, unknown>
  const hasSucceeded =
    envelope.kind === 'B' ? String(code) === String(envelope.code) : success === true
  return hasSucceeded ? data : undefined
}

// Operation or socket of a recorded path, from the router.

/** An operation and its decoded path parameters. */
interface RecordedOperation {
  operation: Operation
  params: Readonly<Record<string, string>>
}

/** Dialect of a socket, and its channels. */
export interface RecordedSocket {
  dialect: Dialect
  channels: readonly Channel[]
}

/** Resolves full paths, under any prefix and any sandbox's base; null for unknown ones. */
export interface RecordedRoutes {
  operationAt(method: string, path: string): RecordedOperation | null
  socketAt(path: string): RecordedSocket | null
}

/** Splits a recorded url into path and query. */
export function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?')
  return mark === -1
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/** A recorded text as JSON; undefined for invalid JSON. */
export function jsonOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// A request field by field: by the schemas of its operation, so that a default and the same
// explicit value are equal, and signatures, nonces and keys are omitted.

/** A request independent of its transport. */
export interface GivenRequest {
  operation: Operation
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>
  /** Without `?`. */
  query: string
  /** The body as JSON; undefined for none. */
  body: unknown
}

export interface RequestedField {
  /** `coin`; `req.interval` of an object in a body. */
  name: string
  value: unknown
  /** null for a field without a schema. */
  schema: TSchema | null
}

export interface ReplayRequest {
  operation: Operation
  /** The `type` of a body that has one. */
  type: string | null
  /** Sorted by name; omitted fields without a default are absent. */
  fields: readonly RequestedField[]
}

/** A position without a shift: times are those of the recording. */
export const AS_RECORDED: ShownAs = { shiftMs: 0 }

/**
 * Reads a request, its times converted back to tape time. One that fails the schemas is read as
 * given.
 */
export function replayRequest(given: GivenRequest, shownAs: ShownAs): ReplayRequest {
  const { operation, params, query, body } = given
  const { path, query: querySchema, body: bodySchema } = operation.params
  const ofType = bodyOf(operation, body)?.request
  const fields = [
    ...readPart(path, params, shownAs, textsIn),
    ...readPart(querySchema, parseQueryLists(query), shownAs, textsIn),
    ...(bodySchema ? readPart(ofType ?? bodySchema, body ?? {}, shownAs, bodyIn) : []),
  ]
  const { type } = (body ?? {}) as { type?: unknown }
  return {
    operation,
    type: operation.bodies && typeof type === 'string' ? type : null,
    fields: fields.sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** Top-level values by name. */
export const requestedValues = ({ fields }: ReplayRequest): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

type Read = (schema: TSchema, given: unknown) => unknown

const textsIn: Read = (schema, given) =>
  readTextParameters(schema as TObject, given as Record<string, string | string[]>)

const bodyIn: Read = (schema, given) =>
  schema.type === 'object' && isJsonObject(given)
    ? readFields(schema as TObject, given)
    : readBody(schema, given)

function readPart(
  schema: TSchema | undefined,
  given: unknown,
  shownAs: ShownAs,
  read: Read,
): RequestedField[] {
  if (schema === undefined) return []
  const values = read(schema, given)
  if (isRefusal(values)) return unread(given)
  return fieldsIn(schema, tapeValue(schema, values, shownAs), '')
}

function fieldsIn(schema: TSchema, value: unknown, prefix: string): RequestedField[] {
  if (typeof value !== 'object' || value === null) return []
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  return Object.entries(value).flatMap(([key, inner]): RequestedField[] => {
    const own = properties[key] ?? null
    const name = prefix + key
    if (inner === null || inner === undefined) return []
    if (own?.type === 'object' && own.properties) return fieldsIn(own, inner, `${name}.`)
    return [{ name, value: inner, schema: own }]
  })
}

/** As given, without the signature. */
function unread(given: unknown): RequestedField[] {
  if (typeof given !== 'object' || given === null)
    return given === undefined ? [] : [{ name: 'body', value: given, schema: null }]
  const names = new Set<string>(CREDENTIAL_NAMES)
  return Object.entries(given)
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => ({ name, value, schema: null }))
}
