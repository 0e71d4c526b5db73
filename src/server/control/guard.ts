/** Who may use the control plane: anybody on loopback, elsewhere whoever has the token. */

import { equalBytes } from '../../platform/equal-bytes.ts'
import { hexDigest } from '../../platform/hmac-sha1.ts'
import { type HttpResponse, jsonResponse } from '../../sandbox/pipeline/http-message.ts'
import type { ControlRequestHead, ControlRoute, GuardedRoute } from './control-route.ts'

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
