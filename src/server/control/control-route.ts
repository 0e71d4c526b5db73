/** One call of the control plane as a transport sees it. */

import { equalBytes } from '../../platform/equal-bytes.ts'
import { hexDigest } from '../../platform/hmac-sha1.ts'
import { type HttpResponse, jsonResponse } from '../../sandbox/pipeline/http-message.ts'

/** What has come of a call before its body has. */
interface ControlRequestHead {
  headers: Headers
  /** `http://host:port` that the caller reached us at. */
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

/** A complete answer, or a stream. */
export type ControlResponse =
  | HttpResponse
  | (Omit<HttpResponse, 'body'> & { body: ReadableStream<string> })

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Of its body; undefined is as much as any call may have. */
  maxBodyBytes?: number | undefined
  /** Whether it is answered without the token too. */
  isOpen?: boolean | undefined
  /** Whether read-only guests may use it. */
  isForGuests?: boolean | undefined
  answer(request: ControlRequest): Promise<ControlResponse>
}

/** A route that says, before a body is read, whether the caller may use it. */
export interface GuardedRoute extends ControlRoute {
  /** Why he may not; null lets him in. */
  refusal(head: ControlRequestHead): HttpResponse | null
}

// The answer to a call that the control plane does not have.

/** A route with the parameters of a path; null for a call that the control plane does not have. */
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

/** A part that cannot be decoded names what is not there, as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** HTTP 405 with the methods of a path, or 404 for a path that is none. */
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

/** Whether a path is one of a route: parts that begin with a colon stand for any. */
function isPathOf(route: ControlRoute, path: string): boolean {
  const [parts, given] = [route.path.split('/'), path.split('/')]
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  )
}

// Who may use the control plane: anybody on loopback, elsewhere whoever has the token.

export interface ControlGuard {
  /** null leaves it open, which is right on loopback only. */
  token: string | null
}

/**
 * What a guest sends in place of the token: calls that change nothing are answered to him, and no
 * others. It follows from the token, so that a link outlives a restart and ends with the token.
 */
export const guestToken = ({ token }: ControlGuard): string =>
  `${GUEST}${hexDigest('read-only guest', token ?? '')}`

/** What a guest's token begins with. */
const GUEST = 'guest-'

/** The route behind the guard, which lets anybody through to an open one. */
export function withGuard(route: ControlRoute, guard: ControlGuard): GuardedRoute {
  return { ...route, refusal: (head) => (route.isOpen ? null : guardRefusal(head, guard, route)) }
}

function guardRefusal(
  { headers, origin }: ControlRequestHead,
  guard: ControlGuard,
  route: ControlRoute,
): HttpResponse | null {
  const { token } = guard
  // A foreign name that resolves to this machine would make a foreign page one of our own.
  if (token === null && !isLoopback(URL.parse(origin)?.hostname ?? ''))
    return jsonResponse(403, '{"error":"call the control plane at localhost, 127.0.0.1 or [::1]"}')
  const page = headers.get('origin')
  if (page !== null && page !== origin)
    return jsonResponse(403, '{"error":"a page of another origin may not use the control plane"}')
  if (isOfForeignPage(headers))
    return jsonResponse(403, '{"error":"a page of another site may not use the control plane"}')
  const given = bearerToken(headers)
  // On loopback too a guest is one: whoever sends his token wants to change nothing.
  if (given?.startsWith(GUEST) && isToken(given, guestToken(guard)))
    return route.isForGuests ? null : jsonResponse(403, GUEST_REFUSAL)
  if (token === null || (given !== null && isToken(given, token))) return null
  const error = 'send the header "Authorization: Bearer <TAPEWRIGHT_CONTROL_TOKEN>"'
  return jsonResponse(401, JSON.stringify({ error }), { 'www-authenticate': 'Bearer' })
}

const GUEST_REFUSAL = '{"error":"a read-only guest can change nothing and see no secrets"}'

/** Whether a host name is this machine's own, in any of its spellings. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

/**
 * Whether a browser says that a page of another site, or of another port, makes the request: for
 * an image or a script it sends no `Origin`. A person who types the address is no page.
 */
function isOfForeignPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** The token of `Authorization`, whose scheme is written in any case (RFC 9110, 11.1). */
export const bearerToken = (headers: Headers): string | null =>
  /^Bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null

const isToken = (given: string, token: string): boolean =>
  equalBytes(Buffer.from(given), Buffer.from(token))
