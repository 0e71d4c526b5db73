/** A control call in progress: the interface that its answer may use. */

import type { Slices } from '../../clock/turns.ts'
import { decoded } from '../../contract/paths.ts'
import { equalBytes } from '../../contract/signature-check.ts'
import { hexDigest } from '../../platform/hmac-sha1.ts'
import { UserError } from '../../platform/user-error.ts'
import { type HttpResponse, jsonResponse } from '../../sandbox/pipeline/http-message.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Sandbox, StopReason } from '../../sandbox/sandbox.ts'
import { someNames } from '../../sandbox/some-names.ts'

// The interface of control calls to transports.

/** A call before its body is read. */
interface ControlRequestHead {
  headers: Headers
  /** `http://host:port` as the caller addressed it. */
  origin: string
}

export interface ControlRequest extends ControlRequestHead {
  params: Readonly<Record<string, string>>
  /** The query string, without `?`. */
  query: string
  body: string
  /** Aborted when the caller goes away. */
  signal?: AbortSignal
}

/** A complete response, or a stream. */
export type ControlResponse =
  | HttpResponse
  | (Omit<HttpResponse, 'body'> & { body: ReadableStream<string> })

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Maximum size of its body; undefined is that of all calls. */
  maxBodyBytes?: number | undefined
  /** Whether it needs no token. */
  isOpen?: boolean | undefined
  /** Whether read-only guests may use it. */
  isForGuests?: boolean | undefined
  answer(request: ControlRequest): Promise<ControlResponse>
}

/** A route that authorizes the caller before the body is read. */
export interface GuardedRoute extends ControlRoute {
  /** Why the caller is refused; null lets it in. */
  refusal(head: ControlRequestHead): HttpResponse | null
}

// Responses to unknown control calls.

/** Finds a route with its path parameters; null for an unknown call. */
export function findRoute<R extends ControlRoute>(
  routes: readonly R[],
  method: string,
  path: string,
): { route: R; params: Record<string, string> } | null {
  const route = routes.find((one) => one.method === method && isPathOf(one, path))
  return route ? { route, params: paramsOf(route, path) } : null
}

function paramsOf({ path: pattern }: ControlRoute, path: string): Record<string, string> {
  const given = path.split('/')
  const named = pattern.split('/').map((part, at) => [part, given[at] ?? ''] as const)
  return Object.fromEntries(
    named
      .filter(([part]) => part.startsWith(':'))
      .map(([part, value]) => [part.slice(1), decoded(value)]),
  )
}

/** HTTP 405 with the methods of a path, or 404 for an unknown path. */
export function unknownCallResponse(
  routes: readonly ControlRoute[],
  method: string,
  path: string,
): HttpResponse {
  const allowed = routes.filter((route) => isPathOf(route, path)).map((route) => route.method)
  if (allowed.length === 0)
    return jsonResponse(404, '{"error":"unknown path; see /_control/openapi.json"}')
  const allow = allowed.join(', ')
  const error = `${method.slice(0, 20)} is not a method of this path: use ${allow}`
  return jsonResponse(405, JSON.stringify({ error }), { allow })
}

/** Whether a path matches a route: parts that begin with a colon match any. */
function isPathOf(route: ControlRoute, path: string): boolean {
  const [parts, given] = [route.path.split('/'), path.split('/')]
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  )
}

// Access to the control plane: open on loopback, elsewhere with the token.

export interface ControlGuard {
  /** null leaves it open, which is right on loopback only. */
  token: string | null
}

/**
 * The token of read-only guests. It is derived from the control token, so that a link outlives a
 * restart and ends with the token.
 */
export const guestToken = ({ token }: ControlGuard): string =>
  `${GUEST}${hexDigest('read-only guest', token ?? '')}`

/** Prefix of a guest's token. */
const GUEST = 'guest-'

/** A route behind the guard, which lets every caller through to an open one. */
export function withGuard(route: ControlRoute, guard: ControlGuard): GuardedRoute {
  return { ...route, refusal: (head) => (route.isOpen ? null : guardRefusal(head, guard, route)) }
}

function guardRefusal(
  { headers, origin }: ControlRequestHead,
  guard: ControlGuard,
  route: ControlRoute,
): HttpResponse | null {
  const { token } = guard
  // A foreign name that resolves to this machine would make a foreign page same-origin.
  if (token === null && !isLoopback(URL.parse(origin)?.hostname ?? ''))
    return jsonResponse(403, '{"error":"call the control plane at localhost, 127.0.0.1 or [::1]"}')
  const page = headers.get('origin')
  if (page !== null && page !== origin)
    return jsonResponse(403, '{"error":"a page of another origin may not use the control plane"}')
  if (isOfForeignPage(headers))
    return jsonResponse(403, '{"error":"a page of another site may not use the control plane"}')
  const given = bearerToken(headers)
  // A guest token restricts its sender on loopback too.
  if (given?.startsWith(GUEST) && isToken(given, guestToken(guard)))
    return route.isForGuests ? null : jsonResponse(403, GUEST_REFUSAL)
  if (token === null || (given !== null && isToken(given, token))) return null
  const error = 'send the header "Authorization: Bearer <TAPEWRIGHT_CONTROL_TOKEN>"'
  return jsonResponse(401, JSON.stringify({ error }), { 'www-authenticate': 'Bearer' })
}

const GUEST_REFUSAL = '{"error":"a read-only guest can change nothing and see no secrets"}'

/** Whether a host name is loopback, in any of its spellings. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

/**
 * Whether a browser reports that a page of another site or port makes the request: for an image or
 * a script it sends no `Origin`. A typed address has no page.
 */
function isOfForeignPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** The token of `Authorization`, whose scheme ignores case (RFC 9110, 11.1). */
const bearerToken = (headers: Headers): string | null =>
  /^Bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null

const isToken = (given: string, token: string): boolean =>
  equalBytes(Buffer.from(given), Buffer.from(token))

export class ControlCall {
  /** `http://host:port` as the caller addressed it. */
  readonly origin: string
  private found: Sandbox | null = null
  /** Why its sandbox has ended or changed. */
  private stopped: StopReason | null = null
  private readonly closings: (() => void)[] = []

  constructor(
    readonly registry: Registry,
    private readonly request: ControlRequest,
    /** The token of read-only guests. */
    readonly guestToken = '',
  ) {
    this.origin = request.origin
  }

  /** The sandbox named in the path, the same one for the whole call; a NotFoundError for none. */
  readonly sandbox = (): Sandbox => {
    if (this.found) return this.found
    const { id = '' } = this.request.params
    const sandbox = this.registry.get(id)
    if (!sandbox)
      throw new NotFoundError(`no sandbox "${id}"; there are ${someNames(this.registry.byId)}`)
    this.closings.push(
      sandbox.onStop((why) => {
        this.stopped = why
      }),
    )
    this.found = sandbox
    return sandbox
  }

  /** Finds the sandbox again: it may have been reset or restored while the call waited. */
  findAgain(): void {
    this.found = null
    this.stopped = null
    this.sandbox()
  }

  /** A further name in the path, decoded. */
  readonly pathParameter = (part: string): string => this.request.params[part] ?? ''

  /** The token of the caller. */
  get token(): string | undefined {
    return bearerToken(this.request.headers) ?? undefined
  }

  /** Pending calls for the same sandbox, or for none. */
  get pending(): PendingCalls {
    return pendingCallsOf(this.owner)
  }

  /** The owner of the answer's work. */
  get owner(): Sandbox | Registry {
    return this.found ?? this.registry
  }

  /** Throws when the caller has gone, or the sandbox has been replaced. */
  readonly checkActive = (): void => {
    if (this.stopped === 'gone') throw new EndedError(this.endText())
    if (this.request.signal?.aborted) throw new EndedError('the caller has gone')
  }

  /** Throws when the server ends, which ends all waiting. */
  readonly checkWaiting = (): void => {
    this.checkActive()
    if (this.stopped === 'ending') throw new EndingError()
  }

  /** Adds a listener for the moment from which `checkWaiting` throws. */
  readonly onInactive = (listener: () => void): void => {
    const { signal } = this.request
    signal?.addEventListener('abort', listener)
    this.closings.push(() => signal?.removeEventListener('abort', listener))
    this.closings.push(this.sandbox().onStop(listener))
  }

  /** Adds a listener for the end of the call. */
  readonly onClose = (listener: () => void): void => {
    this.closings.push(listener)
  }

  close(): void {
    for (const close of this.closings.splice(0)) close()
  }

  private endText(): string {
    const { id } = this.sandbox()
    const now = this.registry.byId.get(id)
    const what = now === this.found ? 'reset' : now ? 'restored from a snapshot' : 'dropped'
    return `sandbox "${id}" was ${what} before the call was done`
  }
}

// Pending calls: their number is bounded, and some run one by one.

/** Maximum number of pending calls of any kind, of calls of `await`, and of live journals. */
interface PendingMax {
  calls: number
  awaits: number
  streams: number
}
type PendingKind = keyof PendingMax

const OF_A_SANDBOX: PendingMax = { calls: 256, awaits: 64, streams: 32 }
/** Bounds of calls without a sandbox: many may wait at once for new sandboxes. */
const OF_THE_PROCESS: PendingMax = { calls: 2_048, awaits: 0, streams: 0 }

const WORDING: Readonly<Record<PendingKind, string>> = {
  calls: 'calls are not answered yet',
  awaits: 'calls of await are not answered yet',
  streams: 'journals are being sent live',
}

class PendingCalls {
  private readonly counts = { calls: 0, awaits: 0, streams: 0 }
  /** The end of the latest sequential call. */
  private latest: Promise<void> = Promise.resolve()

  /** @param whose owner of the calls, for messages */
  constructor(
    private readonly whose: string,
    private readonly most: PendingMax,
  ) {}

  /** Counts a call; a BusyError when there are too many. The result removes it, once. */
  enter(kind: PendingKind): () => void {
    const [count, max] = [this.counts[kind], this.most[kind]]
    if (count >= max)
      throw new BusyError(
        `${count} ${WORDING[kind]} for ${this.whose}, at most ${max}: wait for some to end`,
      )
    this.counts[kind]++
    let isIn = true
    return () => {
      if (isIn) this.counts[kind]--
      isIn = false
    }
  }

  /** Runs work after all earlier work has ended, in the order of arrival. */
  *oneByOne<T>(work: Slices<T>): Slices<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.latest
    this.latest = promise
    try {
      yield before
      return yield* work
    } finally {
      resolve()
    }
  }
}

const byOwner = new WeakMap<object, PendingCalls>()

/** The pending calls of a sandbox, or of the process for calls without one. */
function pendingCallsOf(owner: Sandbox | Registry): PendingCalls {
  const known = byOwner.get(owner)
  if (known) return known
  const made =
    'id' in owner
      ? new PendingCalls(`sandbox "${owner.id}"`, OF_A_SANDBOX)
      : new PendingCalls('no sandbox in particular', OF_THE_PROCESS)
  byOwner.set(owner, made)
  return made
}

// Errors of control calls besides an invalid request.

/** A refusal with an HTTP status of its own. */
export abstract class ControlError extends UserError {
  abstract readonly status: number
}

/** The named thing does not exist. */
export class NotFoundError extends ControlError {
  readonly status = 404
}

/** The awaited condition was not met in time. */
export class TimeoutError extends ControlError {
  readonly status = 408
}

/** The sandbox was dropped, reset or replaced before the call was done. */
class EndedError extends ControlError {
  readonly status = 409
}

/** Too many calls are pending already. */
export class BusyError extends ControlError {
  readonly status = 429
}

/** The server ends before the awaited condition was met. */
class EndingError extends ControlError {
  readonly status = 503

  constructor() {
    super('the server is ending')
  }
}
