/** How fast a target is called: at the pace that it allows, and each request through a gate. */

import { MINUTE_MS } from '../clock/durations.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'
import { Flood, TooLate } from './case-outcome.ts'
import type { Received, TransportResponse } from './target-transport.ts'

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

// When requests go: those of earlier cases first, no oftener than is asked for or than the target
// was seen to answer, and none while it refuses.

/** One request that was let go. */
export interface Turn {
  readonly sentMs: number
  /** The first after a pause; others wait for what becomes of it. */
  readonly isScout: boolean
}

interface Waiting {
  rank: number
  go: (turn: Turn) => void
  stop: (reason: unknown) => void
}

export interface PaceSettings {
  systemClock: SystemClock
  /** Requests a minute at most. */
  perMinute?: number
  /** Told when requests wait from now on, or wait longer. */
  onSlower?: () => void
}

/** The longest that is waited for a target that refuses every request, ms. */
const REFUSED_MAX_MS = 120_000
/** Without a word of the target: so long at first, twice as long the next time. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 15_000]
/** A little slower than it could be answered; after so many requests a little faster again. */
const [SLOWER, FASTER, FASTER_AFTER] = [1.05, 0.95, 100]

/** Of fewer answers no rate is made. */
const LEARNED_FROM = 3

export class Pace {
  private readonly clock: SystemClock
  private readonly least: number
  private readonly onSlower: () => void
  private readonly waiting: Waiting[] = []
  /** Between two turns, ms. */
  private gap: number
  /** No turn before. */
  private nextMs = Number.NEGATIVE_INFINITY
  private scout: 'none' | 'due' | 'sent' = 'none'
  private cancelTimer: () => void = () => {}
  /** What has been answered since the last pause ended: from this the rate is learned. */
  private cycle: { startMs: number; answered: number }
  private refusal: { firstMs: number; lastMs: number; pauses: number } | null = null

  constructor({ systemClock, perMinute, onSlower = () => {} }: PaceSettings) {
    this.clock = systemClock
    this.least = perMinute === undefined ? 0 : MINUTE_MS / perMinute
    this.gap = this.least
    this.onSlower = onSlower
    this.cycle = { startMs: systemClock.monotonicMs(), answered: 0 }
  }

  /** Requests a minute; null while nothing slows them. */
  get perMinute(): number | null {
    return this.gap === 0 ? null : MINUTE_MS / this.gap
  }

  /** Resolves when a request of a case may go; the lower the rank, the sooner. */
  turn(rank: number): Promise<Turn> {
    return new Promise((go, stop) => {
      const before = this.waiting.findIndex((other) => other.rank > rank)
      this.waiting.splice(before < 0 ? this.waiting.length : before, 0, { rank, go, stop })
      this.letGo()
    })
  }

  /** A request was answered. */
  answered({ sentMs, isScout }: Turn): void {
    if (isScout) this.learn(sentMs)
    this.cycle.answered++
    if (this.gap > this.least && this.cycle.answered % FASTER_AFTER === 0)
      this.gap = Math.max(this.least, this.gap * FASTER)
    this.letGo()
  }

  /** Nothing can be learned from what became of it. */
  dropped({ isScout }: Turn): void {
    if (isScout && this.scout === 'sent') this.scout = 'due'
    this.letGo()
  }

  /**
   * A request was refused as one too many; nothing goes for a while.
   *
   * @returns why there is no use in waiting; null while there is
   */
  refused({ sentMs }: Turn, retryAfterMs: number | null): string | null {
    const nowMs = this.clock.monotonicMs()
    const known = this.refusal
    // Several were on their way when it began to refuse: that counts once.
    const isNews = known === null || sentMs > known.lastMs
    if (isNews) {
      const pauses = (known?.pauses ?? 0) + 1
      this.refusal = { firstMs: known?.firstMs ?? nowMs, lastMs: nowMs, pauses }
      this.scout = 'due'
    }
    const { firstMs, pauses } = this.refusal ?? { firstMs: nowMs, pauses: 1 }
    const pauseMs = pauseOf(pauses, retryAfterMs)
    this.nextMs = Math.max(this.nextMs, nowMs + pauseMs)
    if (isNews) this.onSlower()
    this.letGo()
    const waitedMs = nowMs + pauseMs - firstMs
    if (waitedMs <= REFUSED_MAX_MS) return null
    return retryAfterMs !== null && retryAfterMs > REFUSED_MAX_MS
      ? `it refuses requests as too many, for the next ${Math.round(retryAfterMs / 1000)} s`
      : `it has refused every request as one too many for ${Math.round(waitedMs / 1000)} s`
  }

  /** Nobody waits any longer. */
  stop(reason: unknown): void {
    this.cancelTimer()
    for (const { stop } of this.waiting.splice(0)) stop(reason)
  }

  /** The target answers again: as often as it did from the start of the last burst until now. */
  private learn(resumedMs: number): void {
    const { startMs, answered } = this.cycle
    this.scout = 'none'
    this.refusal = null
    this.cycle = { startMs: resumedMs, answered: 0 }
    if (answered < LEARNED_FROM) return
    this.gap = Math.max(this.least, ((resumedMs - startMs) / answered) * SLOWER)
    this.onSlower()
  }

  private letGo(): void {
    this.cancelTimer()
    while (this.waiting.length > 0 && this.scout !== 'sent') {
      const nowMs = this.clock.monotonicMs()
      if (nowMs < this.nextMs) {
        this.cancelTimer = this.clock.startTimer(this.nextMs - nowMs, () => this.letGo())
        return
      }
      const isScout = this.scout === 'due'
      if (isScout) this.scout = 'sent'
      this.nextMs = nowMs + this.gap
      this.waiting.shift()?.go({ sentMs: nowMs, isScout })
    }
  }
}

/** What the target asks for, and more each time when it refuses all the same. */
function pauseOf(pauses: number, retryAfterMs: number | null): number {
  const grown = (times: number) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** times)
  if (retryAfterMs === null) return grown(pauses - 1)
  return pauses === 1 ? retryAfterMs : retryAfterMs + grown(pauses - 2)
}

// How a service says that it is asked too often.

/** Whether an answer refuses a request for its rate, or with HTTP 503 and a time at a start. */
export function isRateRefusal(received: Received): received is TransportResponse {
  if (!('status' in received)) return false
  const { status, text, retryAfter } = received
  return isTooMany(status, text) || (status === 503 && retryAfter !== undefined)
}

/** The forms in which a service was seen to say that it is called too often (open). */
export const isTooMany = (status: number, text: string): boolean =>
  status === 429 || /"(code|errorCode)":"?429\b|请求过于频繁/.test(text.slice(0, 500))

/** When to ask again, ms from now: seconds or a date; null where it is not said. */
export function retryAfterMs({ retryAfter }: TransportResponse, nowMs: number): number | null {
  if (retryAfter === undefined) return null
  const ms = /^\d+(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - nowMs
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
