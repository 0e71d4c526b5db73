/** Who may use the control plane: anybody on loopback, elsewhere whoever has the token. */
import { type HttpResponse, jsonResponse } from '../pipeline/http-message.ts'
import { equalBytes } from '../platform/equal-bytes.ts'
import type { ControlRequestHead, ControlRoute, GuardedRoute } from './control-route.ts'

export interface ControlGuard {
  /** null leaves it open, which is right on loopback only. */
  token: string | null
}

/** The route behind the guard, which lets anybody through to an open one. */
export function withGuard(route: ControlRoute, guard: ControlGuard): GuardedRoute {
  return { ...route, refusal: (head) => (route.isOpen ? null : guardRefusal(head, guard)) }
}

function guardRefusal(
  { headers, origin }: ControlRequestHead,
  { token }: ControlGuard,
): HttpResponse | null {
  // A foreign name that resolves to this machine would make a foreign page one of our own.
  if (token === null && !isLoopback(URL.parse(origin)?.hostname ?? ''))
    return jsonResponse(403, '{"error":"ask the control plane at localhost, 127.0.0.1 or [::1]"}')
  const page = headers.get('origin')
  if (page !== null && page !== origin)
    return jsonResponse(403, '{"error":"a page of another origin may not use the control plane"}')
  if (token === null || isToken(headers.get('authorization') ?? '', token)) return null
  const error = 'send the header "Authorization: Bearer <TAPEWRIGHT_CONTROL_TOKEN>"'
  return jsonResponse(401, JSON.stringify({ error }), { 'www-authenticate': 'Bearer' })
}

/** Whether a host name is this machine's own, in any of its spellings. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

function isToken(header: string, token: string): boolean {
  const [given, right] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)]
  return equalBytes(given, right)
}
