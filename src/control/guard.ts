/** Who may use the control plane: anybody on loopback, elsewhere whoever has the token. */
import { timingSafeEqual } from 'node:crypto'
import { type Answer, json } from '../pipeline/exchange.ts'
import type { ControlRequest, Route } from './route.ts'

export interface Guard {
  /** null leaves it open, which is right on loopback only. */
  token: string | null
}

/** The route behind the guard. */
export function guarded(route: Route, guard: Guard): Route {
  return { ...route, answer: async (request) => stop(request, guard) ?? route.answer(request) }
}

function stop({ headers, origin }: ControlRequest, { token }: Guard): Answer | null {
  const page = headers.get('origin')
  if (page !== null && page !== origin)
    return json(403, '{"error":"a page of another origin may not use the control plane"}')
  if (token === null || isToken(headers.get('authorization') ?? '', token)) return null
  const error = 'send the header "Authorization: Bearer <TAPEWRIGHT_CONTROL_TOKEN>"'
  return json(401, JSON.stringify({ error }), { 'www-authenticate': 'Bearer' })
}

function isToken(header: string, token: string): boolean {
  const [given, right] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)]
  return given.length === right.length && timingSafeEqual(given, right)
}
