/** Control calls about the server: its health, and access for guests. */

import { Type } from '../../../contract/schema.ts'
import { VERSION } from '../../../platform/version.ts'
import type { Casting } from '../../../sandbox/loaded-world.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { controlOperation } from '../control-operation.ts'

export const health = controlOperation({
  id: 'health',
  method: 'GET',
  path: '/health',
  title: 'Whether the server is live and ready',
  about:
    'A server that answers is live. HTTP 503 means that it is not ready, and `why` gives the ' +
    'reason; it still serves what it can. No token is needed.',
  isOpen: true,
  data: Type.Object({
    live: Type.Boolean({ description: 'true in every answer' }),
    ready: Type.Boolean({ description: 'whether everything works' }),
    why: Type.Optional(Type.String({ description: 'why it is not ready' })),
    version: Type.String({ description: 'of Tapewright' }),
  }),
  status: ({ ready }) => (ready ? 200 : 503),
  answer(_, { registry }) {
    const reasons = notReadyReasons(registry)
    const ready = reasons.length === 0
    return { live: true, ready, ...(ready ? {} : { why: reasons.join('; ') }), version: VERSION }
  },
})

export const guestGet = controlOperation({
  id: 'guest.get',
  method: 'GET',
  path: '/guest',
  title: 'The link for read-only guests',
  about:
    'A guest with this link can see everything in the console and change nothing. Its token ' +
    'allows only calls that change nothing and whose answers contain no secrets. The link stays ' +
    'valid after a restart; another `TAPEWRIGHT_CONTROL_TOKEN` ends it. It does not protect the ' +
    'keys of a sandbox: anyone who knows a key can sign with it.',
  data: Type.Object({
    token: Type.String({ description: 'use it as a control token' }),
    url: Type.String({ description: 'address of the console for guests' }),
  }),
  answer(_, { guestToken: token, origin }) {
    return { token, url: `${origin}/console#guest=${token}` }
  },
})

/** Why the server is not ready; empty when it is. */
export function notReadyReasons(registry: Registry): string[] {
  const { metrics, storage } = registry
  const delayMs = Math.round(metrics.eventLoop.recentLongestMs)
  return [
    metrics.isStarting ? startingText(registry.worlds.castings?.() ?? []) : null,
    ...(registry.worlds.lines?.() ?? []).map(({ failure }) => failure),
    storage?.behind ? `the ${storage.what} cannot be written: it ${storage.why}` : null,
    delayMs > DELAY_MAX_MS ? `the event loop was blocked for ${delayMs} ms just now` : null,
  ].filter((reason) => reason !== null)
}

function startingText(castings: readonly Casting[]): string {
  const progress = castingProgress(castings)
  const what = progress === null ? '' : `: a world is cast, ${Math.floor(100 * progress)} % is done`
  return `the server is starting${what}`
}

/** The finished share of the tapes that are being cast, from 0 to 1; null when none is. */
export function castingProgress(castings: readonly Casting[]): number | null {
  const events = castings.reduce((sum, casting) => sum + casting.events, 0)
  const of = castings.reduce((sum, casting) => sum + casting.of, 0)
  return of === 0 ? null : events / of
}

/** With a longer delay a request may have exceeded its client's timeout. */
const DELAY_MAX_MS = 1_000
