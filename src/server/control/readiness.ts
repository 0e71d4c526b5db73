import type { Casting } from '../../sandbox/loaded-world.ts'
import type { Registry } from '../../sandbox/registry.ts'

/** Why the server does not serve as it should at present; none when it does. */
export function notReadyReasons(registry: Registry): string[] {
  const { metrics, storage } = registry
  const delayMs = Math.round(metrics.eventLoop.recentLongestMs)
  return [
    metrics.isStarting ? startingText(registry.worlds.castings?.() ?? []) : null,
    ...(registry.worlds.lines?.() ?? []).map(({ failure }) => failure),
    storage?.behind ? `the state file cannot be written: it ${storage.why}` : null,
    delayMs > DELAY_MAX_MS ? `the event loop was held up for ${delayMs} ms just now` : null,
  ].filter((reason) => reason !== null)
}

function startingText(castings: readonly Casting[]): string {
  const progress = castingProgress(castings)
  const what = progress === null ? '' : `: a world is cast, ${Math.floor(100 * progress)} % is done`
  return `the server is starting${what}`
}

/** How much of the tapes that are being cast is done, from 0 to 1; null when none is. */
export function castingProgress(castings: readonly Casting[]): number | null {
  const events = castings.reduce((sum, casting) => sum + casting.events, 0)
  const of = castings.reduce((sum, casting) => sum + casting.of, 0)
  return of === 0 ? null : events / of
}

/** Above this a request may have waited for longer than its client had patience. */
const DELAY_MAX_MS = 1_000
