/** What stands between the requests of a case and the target. */
import { UserError } from '../platform/user-error.ts'
import { TooLate } from './case-outcome.ts'
import { Flood } from './flood.ts'
import type { Turn } from './pace.ts'
import { isRateRefusal, retryAfterMs } from './rate-refusal.ts'
import type { Received } from './target-transport.ts'

/** Lets the requests of one case go, and hears what became of each. */
export interface Gate {
  /** How long the case has waited for its turns, or let time pass, ms. */
  readonly waitedMs: number
  turn(): Promise<Turn>
  /** How long ago it was let go, ms. */
  ageMs(turn: Turn): number
  answered(turn: Turn): void
  /** It was one too many: the next turn comes when there is hope again. */
  refused(turn: Turn, retryAfterMs: number | null): void
  /** Nothing can be learned from what became of it. */
  dropped(turn: Turn): void
  /** No answer came, or none of the service itself; rejects when it answers nothing any more. */
  unanswered(turn: Turn): Promise<void>
  /** More was said there than is read; the run ends where that goes on elsewhere. */
  flooded(where: string): void
  pause(ms: number): Promise<void>
}

interface Passing {
  /** It changes nothing: it may be sent again after a connection broke. */
  mayRepeat: boolean
  /** That it is one too many is an answer like any other. */
  allowRateLimit: boolean
  /** How many sockets are open at a time is limited apart from how often one may ask. */
  opensSocket: boolean
  /** For dates at which to ask again. */
  nowMs: () => number
}

/**
 * Sends when it is its turn, at once without a gate, and again while what comes back says nothing
 * of what was sent.
 */
export async function passThrough<T extends Received>(
  gate: Gate | undefined,
  send: (isAgain: boolean) => Promise<T>,
  { mayRepeat, allowRateLimit, opensSocket, nowMs }: Passing,
): Promise<T> {
  if (!gate) return send(false)
  for (let left = mayRepeat ? 1 : 0, waits = 0, lateLeft = LATE_MAX; ; ) {
    const turn = await gate.turn()
    let received: T
    try {
      received = await send(mayRepeat && left === 0)
    } catch (error) {
      if (error instanceof Flood) {
        gate.dropped(turn)
        gate.flooded(error.message)
        throw error
      }
      await gate.unanswered(turn)
      if (left-- === 0 || !(error instanceof UserError)) throw error
      continue
    }
    if (isUnavailable(received)) {
      await gate.unanswered(turn)
      // A proxy has waited for less long than the suite would.
      if (left-- > 0) continue
    } else if (!allowRateLimit && opensSocket && isRateRefusal(received)) {
      gate.dropped(turn)
      if (waits === SOCKET_WAITS) return received
      await gate.pause(socketPauseMs(waits++, retryAfterMs(received, nowMs())))
      continue
    } else if (!allowRateLimit && isRateRefusal(received)) {
      gate.refused(turn, retryAfterMs(received, nowMs()))
      continue
    } else {
      gate.answered(turn)
      if (!isTooLate(gate, turn, received)) return received
      lateLeft = oneLess(lateLeft)
      continue
    }
    return received
  }
}

/** So often other cases may close theirs: half a minute. */
const SOCKET_WAITS = 6

/** What the target asks for, where that is no longer than this, ms; else longer each time. */
const SOCKET_PAUSE_MAX_MS = 60_000

function socketPauseMs(waits: number, askedMs: number | null): number {
  const usualMs = 1_000 * 2 ** Math.min(waits, 3)
  return askedMs === null || askedMs > SOCKET_PAUSE_MAX_MS ? usualMs : Math.max(usualMs, askedMs)
}

/** What proxies say of a service that is gone. */
const isUnavailable = (received: Received): boolean =>
  'status' in received && [502, 504].includes(received.status)

/** Taken so long, a signature may have become too old on the way; so often it is made anew, ms. */
const [LATE_MS, LATE_MAX] = [10_000, 3]

/** Refused, it has changed nothing, and may be sent again whatever it is. */
const isTooLate = (gate: Gate, turn: Turn, received: Received): boolean =>
  'status' in received && received.status === 401 && gate.ageMs(turn) > LATE_MS

function oneLess(left: number): number {
  if (left === 0) throw new TooLate()
  return left - 1
}
