/** Looking at a target again and again, and telling what has changed. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import { afterLook, driftSince, type Look } from './drift.ts'

/** What one look has come to. */
export type Sighting =
  /** There was nothing to compare it with. */
  | { kind: 'baseline'; atMs: number; forms: number; questions: number }
  | { kind: 'drift'; atMs: number; drift: string[] }
  /** The target could not be looked at, or not to the end; the next look comes all the same. */
  | { kind: 'failed'; atMs: number; why: string }

export interface WatchSettings {
  /** Between the beginnings of two looks, ms; a longer look is followed by the next at once. */
  everyMs: number
  systemClock: SystemClock
  /** Ends it, also in the middle of a look. */
  signal: AbortSignal
  /** One look; a UserError says why there is none. */
  look: (known: Look | null) => Promise<Look>
  /** What is known from looks before; null before the first. */
  read: () => Look | null
  write: (known: Look) => Promise<void>
  onSighting: (sighting: Sighting) => void
}

/** Looks until the signal comes. */
export async function watch(settings: WatchSettings): Promise<void> {
  const { everyMs, systemClock, signal, onSighting } = settings
  while (!signal.aborted) {
    const startMs = systemClock.monotonicMs()
    const sighting = await sightingOf(settings)
    if (signal.aborted) return
    onSighting(sighting)
    const leftMs = Math.max(0, everyMs - (systemClock.monotonicMs() - startMs))
    await pause(systemClock, leftMs, signal)
  }
}

async function sightingOf({ look, read, write, systemClock }: WatchSettings): Promise<Sighting> {
  const atMs = systemClock.nowMs()
  const known = read()
  try {
    const now = await look(known)
    await write(known ? afterLook(known, now) : now)
    if (known) return { kind: 'drift', atMs, drift: driftSince(known, now) }
    const [forms, questions] = [now.forms, now.questions].map((all) => Object.keys(all).length)
    return { kind: 'baseline', atMs, forms: forms ?? 0, questions: questions ?? 0 }
  } catch (error) {
    if (error instanceof UserError) return { kind: 'failed', atMs, why: error.message }
    throw error
  }
}

function pause(systemClock: SystemClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = systemClock.startTimer(ms, end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
