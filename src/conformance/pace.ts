/** Pacing: the request rate that a target allows, and a gate for each request. */

import { MINUTE_MS } from '../clock/instant.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'
import { Flood, TooLate } from './case-outcome.ts'
import type { Received, TransportResponse } from './target-transport.ts'

/** Schedules the requests of one case, and receives their outcomes. */
export interface Gate {
  /** Time that the case has waited for turns or let pass, ms. */
  readonly waitedMs: number
  turn(): Promise<Turn>
  /** Time since it was released, ms. */
  ageMs(turn: Turn): number
  answered(turn: Turn): void
  /** It was rate-limited: the next turn comes when it may succeed. */
  refused(turn: Turn, retryAfterMs: number | null): void
  /** Its outcome is no evidence. */
  dropped(turn: Turn): void
  /** No response, or none of the service itself; rejects when the target has stopped answering. */
  unanswered(turn: Turn): Promise<void>
  /** It exceeded a size limit; the run ends where that happens in several places. */
  flooded(where: string): void
  pause(ms: number): Promise<void>
}

interface Passing {
  /** It changes nothing: it may be repeated after a broken connection. */
  mayRepeat: boolean
  /** A rate limit is an expected response. */
  allowRateLimit: boolean
  /** The number of open sockets is limited separately from the request rate. */
  opensSocket: boolean
  /** For dates of Retry-After. */
  nowMs: () => number
}

/**
 * Sends at its turn, at once without a gate, and again while the outcome is no evidence about the
 * request.
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
      // A proxy's timeout is shorter than the suite's.
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

/** Number of waits for other cases to close theirs: half a minute. */
const SOCKET_WAITS = 6

/** Limit of the target's requested pause, ms; default pauses grow. */
const SOCKET_PAUSE_MAX_MS = 60_000

function socketPauseMs(waits: number, requestedMs: number | null): number {
  const usualMs = 1_000 * 2 ** Math.min(waits, 3)
  return requestedMs === null || requestedMs > SOCKET_PAUSE_MAX_MS
    ? usualMs
    : Math.max(usualMs, requestedMs)
}

/** Responses of proxies to an unavailable service. */
const isUnavailable = (received: Received): boolean =>
  'status' in received && [502, 504].includes(received.status)

/** Transit time after which a signature may have expired, ms, and number of new ones. */
const [LATE_MS, LATE_MAX] = [10_000, 3]

/** A refused request has changed nothing, and may be repeated. */
const isTooLate = (gate: Gate, turn: Turn, received: Received): boolean =>
  'status' in received && received.status === 401 && gate.ageMs(turn) > LATE_MS

function oneLess(left: number): number {
  if (left === 0) throw new TooLate()
  return left - 1
}

// Schedules requests: those of earlier cases first, at most at the requested or observed rate, and
// none during a rate limit.

/** One released request. */
export interface Turn {
  readonly sentMs: number
  /** The first after a pause; others wait for its outcome. */
  readonly isScout: boolean
}

interface Waiting {
  rank: number
  go: (turn: Turn) => void
  stop: (reason: unknown) => void
}

export interface PaceSettings {
  systemClock: SystemClock
  /** Maximum requests a minute. */
  perMinute?: number
  /** Called when requests begin to wait, or wait longer. */
  onSlower?: () => void
}

/** Longest wait for a target that refuses every request, ms. */
const REFUSED_MAX_MS = 120_000
/** Default pauses: the first, doubled each time, up to the last. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 15_000]
/** Slightly slower than the observed rate; slightly faster after so many requests. */
const [SLOWER, FASTER, FASTER_AFTER] = [1.05, 0.95, 100]

/** Minimum number of responses for an observed rate. */
const LEARNED_FROM = 3

export class Pace {
  private readonly clock: SystemClock
  private readonly least: number
  private readonly onSlower: () => void
  private readonly waiting: Waiting[] = []
  /** Time between two turns, ms. */
  private gap: number
  /** Earliest next turn. */
  private nextMs = Number.NEGATIVE_INFINITY
  private scout: 'none' | 'due' | 'sent' = 'none'
  private cancelTimer: () => void = () => {}
  /** Responses since the last pause ended, which determine the rate. */
  private cycle: { startMs: number; answered: number }
  private refusal: { firstMs: number; lastMs: number; pauses: number } | null = null

  constructor({ systemClock, perMinute, onSlower = () => {} }: PaceSettings) {
    this.clock = systemClock
    this.least = perMinute === undefined ? 0 : MINUTE_MS / perMinute
    this.gap = this.least
    this.onSlower = onSlower
    this.cycle = { startMs: systemClock.monotonicMs(), answered: 0 }
  }

  /** Requests a minute; null while unlimited. */
  get perMinute(): number | null {
    return this.gap === 0 ? null : MINUTE_MS / this.gap
  }

  /** Resolves when a request of a case may be sent; lower ranks first. */
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

  /** Its outcome is no evidence. */
  dropped({ isScout }: Turn): void {
    if (isScout && this.scout === 'sent') this.scout = 'due'
    this.letGo()
  }

  /**
   * A request was rate-limited; sending pauses.
   *
   * @returns why waiting is useless; null while it is not
   */
  refused({ sentMs }: Turn, retryAfterMs: number | null): string | null {
    const nowMs = this.clock.monotonicMs()
    const known = this.refusal
    // Several may have been in flight at the first refusal: that counts once.
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

  /** Rejects all waiting requests. */
  stop(reason: unknown): void {
    this.cancelTimer()
    for (const { stop } of this.waiting.splice(0)) stop(reason)
  }

  /** The target answers again: adopts the rate of the last burst until now. */
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

/** The target's requested pause, and longer ones while it still refuses. */
function pauseOf(pauses: number, retryAfterMs: number | null): number {
  const grown = (times: number) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** times)
  if (retryAfterMs === null) return grown(pauses - 1)
  return pauses === 1 ? retryAfterMs : retryAfterMs + grown(pauses - 2)
}

// Detection of rate limits.

/** Whether a response is a rate limit, or HTTP 503 with a time during start. */
export function isRateRefusal(received: Received): received is TransportResponse {
  if (!('status' in received)) return false
  const { status, text, retryAfter } = received
  return isTooMany(status, text) || (status === 503 && retryAfter !== undefined)
}

/** Observed forms of a rate limit (open). */
export const isTooMany = (status: number, text: string): boolean =>
  status === 429 || /"(code|errorCode)":"?429\b|请求过于频繁/.test(text.slice(0, 500))

/** Retry-After in ms from now: seconds or a date; null for none. */
export function retryAfterMs({ retryAfter }: TransportResponse, nowMs: number): number | null {
  if (retryAfter === undefined) return null
  const ms = /^\d+(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - nowMs
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
