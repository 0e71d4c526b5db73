/**
 * A client of the control plane: a method for each of its calls, with the types of input and
 * answer. It runs on Bun, on Node and in a browser.
 */

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { VERSION } from '../../platform/version.ts'
import type { Call, CallOptions } from './call.ts'
import { CALLS } from './call-list.ts'
import type { ControlCalls } from './call-types.ts'
import type { JournalEntry, JournalFilter } from './records.ts'

// Errors of control calls.

/** The kind of an error, for programs. */
export type ControlErrorCode =
  /** The call is invalid; the message has the remedy. */
  | 'wrong-call'
  /** The token is missing or wrong. */
  | 'unauthorized'
  /** The page's origin or the host name is not allowed. */
  | 'forbidden'
  /** The named thing does not exist. */
  | 'not-found'
  /** The server does not have this call: it is of another version. */
  | 'unknown-call'
  /** The awaited condition was not met in time. */
  | 'timeout'
  /** The sandbox was dropped, reset or restored before the call was done. */
  | 'ended'
  /** The body is too large. */
  | 'too-large'
  /** Too many calls are pending. */
  | 'busy'
  /** The server is starting or ending. */
  | 'unavailable'
  /** The state file cannot be written, and nothing has changed. */
  | 'not-stored'
  /** The sandbox is closed, or its server has ended by itself. */
  | 'closed'
  /** No server answers at this address. */
  | 'unreachable'
  /** The answer is not of a control plane. */
  | 'unknown-answer'

/** A call that was refused, or not answered. */
export class ControlError extends Error {
  override readonly name = 'ControlError'

  /** @param status of HTTP; null without a response */
  constructor(
    readonly code: ControlErrorCode,
    readonly status: number | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The error code of an HTTP status. */
const codeOf = (status: number): ControlErrorCode => BY_STATUS[status] ?? 'wrong-call'

const BY_STATUS: Readonly<Record<number, ControlErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'unknown-call',
  408: 'timeout',
  409: 'ended',
  413: 'too-large',
  429: 'busy',
  503: 'unavailable',
  507: 'not-stored',
}

/** Settings for sending calls. */
export interface ControlSettings {
  /** The server's `TAPEWRIGHT_CONTROL_TOKEN`; on loopback there is none. */
  token?: string | undefined
  /** Whether a request is sent even if the web page is gone before its answer (false). */
  keepalive?: boolean
  /** Sends requests; the runtime's `fetch` by default. */
  send?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** A call with its parameters. */
interface Sending {
  call: Call
  /** Path parameters by name. */
  names: Readonly<Record<string, string>>
  fields: Readonly<Record<string, unknown>>
  options: CallOptions
  accept?: string
}

/** Sends calls to one server; a ControlError when it is unreachable. */
function sender(url: string, { token, keepalive, send = fetch }: ControlSettings) {
  const base = url.replace(/\/+$/, '').replace(/\/_control$/, '')
  return async ({ call, names, fields, options, accept }: Sending): Promise<Response> => {
    const { signal } = options
    const path = call.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(names[name] ?? ''))
    const query = call.fields === 'query' ? queryOf(fields) : ''
    const init: RequestInit = {
      method: call.method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(call.fields === 'body' ? { 'content-type': 'application/json' } : {}),
        ...(accept === undefined ? {} : { accept }),
      },
      ...(call.fields === 'body' ? { body: JSON.stringify(fields) } : {}),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
    }
    try {
      return await send(`${base}/_control${path}${query}`, init)
    } catch (error) {
      throw signal?.aborted || error instanceof ControlError ? error : unreachable(base, error)
    }
  }
}

/** The answer of a call; a ControlError for a refusal or an unknown form. */
async function readAnswer({ call, options }: Sending, response: Response): Promise<unknown> {
  const text = await bodyText(response, options)
  if (call.answer === 'text' && response.ok) return text
  const data = parsed(text, response)
  const refusal = (data as { error?: unknown } | null)?.error
  if (response.status >= 400 && typeof refusal === 'string')
    throw new ControlError(
      codeOf(response.status),
      response.status,
      refusal + versionsText(response),
    )
  if (call.answer === 'page') return paged(data as object, response)
  return data
}

/** An unknown answer may be of another version. */
function versionsText({ headers }: Response): string {
  const theirs = headers.get('tapewright-version') ?? VERSION
  if (theirs === VERSION) return ''
  return ` (the server is Tapewright ${theirs} and this client ${VERSION}: use one version of both)`
}

async function bodyText(response: Response, { signal }: CallOptions): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw signal?.aborted ? error : unreachable(response.url, error)
  }
}

function parsed(text: string, { status, url }: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const start = JSON.stringify(text.slice(0, 80))
    throw new ControlError(
      'unknown-answer',
      status,
      `${url} is no control plane of Tapewright: it answers ${status} ${start}`,
    )
  }
}

/** Adds the next cursor to a page, as a hidden field. */
function paged(data: object, { headers }: Response): object {
  const next = /<[^>]*[?&]cursor=(\d+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')
  return Object.defineProperty(data, 'nextCursor', { value: next?.[1] ?? null })
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams()
  for (const [name, value] of given) query.set(name, String(value))
  return given.length === 0 ? '' : `?${query}`
}

function unreachable(at: string, error: unknown): ControlError {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  const why = code ?? cause?.code ?? (error as Error).message
  const message = `${at} cannot be reached (${why}): is the server running there?`
  return new ControlError('unreachable', null, message, { cause: error })
}

// The live journal: server-sent events, one by one.

/** The number of entries that were dropped before they could be sent. */
export interface JournalGap {
  kind: 'dropped'
  count: number
}

/** New entries, until the sandbox is dropped or reset; leaving the loop ends the call. */
async function* journalEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<JournalEntry | JournalGap, void> {
  const waiting: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const event of waiting.splice(0)) yield entryOf(event)
    }
  } finally {
    await reader.cancel()
  }
}

const entryOf = ({ event, data }: EventSourceMessage): JournalEntry | JournalGap =>
  event === 'dropped' ? { kind: 'dropped', count: Number(data) } : JSON.parse(data)

export type { CallOptions, Page } from './call.ts'
export type { ControlCalls } from './call-types.ts'
export type * from './records.ts'

/** The calls as methods; those for a sandbox take its id first. */
export interface Control extends Omit<ControlCalls, 'journal'> {
  journal: ControlCalls['journal'] & {
    /**
     * New entries as they are written. Resolves when the server has begun to send them, so that no
     * later entry is missed; `signal` and leaving the loop end it.
     */
    follow(id: string, filter?: JournalFilter, options?: CallOptions): Promise<JournalFollowing>
  }
  /** The calls for one sandbox, without its id. */
  sandbox(id: string): SandboxControl
}

export type JournalFollowing = AsyncGenerator<JournalEntry | JournalGap, void>

/** The calls for one sandbox. */
export type SandboxControl = {
  readonly id: string
  /** How a request to this sandbox would be answered, and why; `url` may be a path alone. */
  explain: ControlCalls['explain']
} & Bound<Omit<Control, 'explain' | 'health' | 'metrics' | 'sandbox' | 'sandboxes'>> &
  Bound<Omit<ControlCalls['sandboxes'], 'create' | 'list'>>

/** Methods without their first parameter. */
type Bound<T> = {
  [K in keyof T]: T[K] extends (id: string, ...rest: infer R) => infer A
    ? (...rest: R) => A
    : Bound<T[K]>
}

/** A client of the control plane at a server's address, with or without `/_control`. */
export function control(url: string, settings: ControlSettings = {}): Control {
  const send = sender(url, settings)
  const ask = async (call: Call, given: unknown[]) => {
    const sending = sendingOf(call, given)
    return readAnswer(sending, await send(sending))
  }
  const follow = async (...given: unknown[]): Promise<JournalFollowing> => {
    const sending = { ...sendingOf(JOURNAL, given), accept: 'text/event-stream' }
    const response = await send(sending)
    const { body, status, url: at } = response
    if (body && response.ok) return journalEvents(body)
    await readAnswer(sending, response)
    throw new ControlError('unknown-answer', status, `${at} sends no journal`)
  }
  const everything = methods(CALLS, ask) as object as Control
  Object.assign(everything.journal, { follow })
  return { ...everything, sandbox: (id) => boundTo(id, ask, follow) }
}

const EXPLAIN = CALLS.find(({ name }) => name === 'explain') as Call
const JOURNAL = CALLS.find(({ group, name }) => group === 'journal' && name === 'read') as Call

type Ask = (call: Call, given: unknown[]) => Promise<unknown>

function boundTo(
  id: string,
  ask: Ask,
  follow: (...given: unknown[]) => Promise<JournalFollowing>,
): SandboxControl {
  const own = CALLS.filter(({ path }) => path.startsWith('/sandboxes/:id'))
  const { sandboxes, journal, ...others } = methods(own, (call, given) => ask(call, [id, ...given]))
  const explain: ControlCalls['explain'] = (fields, options) =>
    ask(EXPLAIN, [{ ...fields, url: urlBelow(id, fields.url) }, options]) as never
  return {
    id,
    explain,
    ...others,
    ...(sandboxes as object),
    journal: { ...journal, follow: (...given: unknown[]) => follow(id, ...given) },
  } as object as SandboxControl
}

/** The path of a request below the base of a sandbox, where it is not there already. */
function urlBelow(id: string, url: string): string {
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return target.startsWith('/s/') ? target : `/s/${encodeURIComponent(id)}${target}`
}

type Method = (...given: unknown[]) => Promise<unknown>

/** Calls by group and name. */
function methods(calls: readonly Call[], ask: Ask): Record<string, Method | object> {
  const found: Record<string, Method | Record<string, Method>> = {}
  for (const call of calls) {
    const method: Method = (...given) => ask(call, given)
    if (call.group === undefined) found[call.name] = method
    else found[call.group] = { ...found[call.group], [call.name]: method }
  }
  return found
}

/** The arguments of a method: path parameters, then fields if it has any, then options. */
function sendingOf(call: Call, given: unknown[]): Sending {
  const rest = [...given]
  const names: Record<string, string> = {}
  for (const [, name = ''] of call.path.matchAll(/:(\w+)/g)) {
    const value = rest.shift()
    if (typeof value !== 'string' || value === '')
      throw new ControlError('wrong-call', null, `${callText(call)} needs ${name}, a text`)
    names[name] = value
  }
  const fields = (call.fields ? rest.shift() : undefined) ?? {}
  return {
    call,
    names,
    fields: fields as Record<string, unknown>,
    options: (rest.shift() ?? {}) as CallOptions,
  }
}

const callText = ({ group, name }: Call) => `${group === undefined ? '' : `${group}.`}${name}`
