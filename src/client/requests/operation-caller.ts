/** The way of a call: admitted, signed, sent, read, checked; tried again where that is wanted. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { backoffMs } from '../backoff.ts'
import type { Checker } from '../checking/checker.ts'
import { AnswerError, ConnectionError, ServiceError } from '../errors.ts'
import type { CallOptions } from './call-options.ts'
import type { ClockSkew } from './clock-skew.ts'
import type { OperationCall } from './operation-call.ts'
import { pause } from './pause.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type CallParameters, requestOf } from './request.ts'
import { type RequestSender, TimeoutError } from './request-sender.ts'
import { signedResponse } from './signed-response.ts'
import type { Signer } from './signer.ts'

/** A wait that is longer than this is the caller's to decide on. */
const RETRY_WAIT_MAX_MS = 60_000

export interface OperationCallerSettings {
  sender: RequestSender
  sign: Signer
  skew: ClockSkew
  limiter: RateLimiter | null
  checker: Checker | null
  systemClock: SystemClock
  /** A number in [0, 1). */
  random: () => number
  closing: AbortSignal
  timeoutMs: number
  retries: number
  checksAnswers: boolean
}

export class OperationCaller {
  constructor(private readonly settings: OperationCallerSettings) {}

  /** The data of the answer. What changes something is asked once, whatever `retries` says. */
  async call(
    operation: OperationCall,
    parameters: CallParameters = {},
    options: CallOptions = {},
  ): Promise<unknown> {
    const retries = operation.changes ? 0 : (options.retries ?? this.settings.retries)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(operation, parameters, options)
      } catch (error) {
        const waitMs = attempt > retries ? null : this.waitMs(error, attempt)
        if (waitMs === null) throw error
        await pause(this.settings.systemClock, waitMs, this.ending(options))
      }
    }
  }

  private async once(
    operation: OperationCall,
    parameters: CallParameters,
    options: CallOptions,
  ): Promise<unknown> {
    const { limiter, checker, checksAnswers } = this.settings
    if (limiter) await limiter.admitted(this.ending(options))
    try {
      const data = await this.answered(operation, parameters, options)
      limiter?.answered()
      if (options.checked ?? checksAnswers) checker?.check(operation, parameters, data)
      return data
    } catch (error) {
      if (isRefusal(error) && error.kind === 'rate') limiter?.refused(error.retryAfterS)
      throw error
    }
  }

  private async answered(
    operation: OperationCall,
    parameters: CallParameters,
    options: CallOptions,
  ): Promise<unknown> {
    const { sender, sign, skew, timeoutMs } = this.settings
    const { signal } = options
    const sending = { timeoutMs: options.timeoutMs ?? timeoutMs, signal }
    const { read } = await skew.corrected(async (offsetMs) => {
      const signed = async () => requestOf(operation, parameters, await sign(offsetMs))
      return signedResponse(operation, await sender.send(operation.id, signed, sending))
    })
    return read()
  }

  /** Ends what waits: the caller's signal, or the closing of the client. */
  private ending({ signal }: CallOptions): AbortSignal {
    const { closing } = this.settings
    return signal ? AbortSignal.any([signal, closing]) : closing
  }

  /** null where asking again does not help, or makes it worse. */
  private waitMs(error: unknown, attempt: number): number | null {
    if (error instanceof TimeoutError || this.settings.closing.aborted) return null
    if (!(error instanceof ConnectionError || isRefusal(error))) return null
    const ownMs = backoffMs(attempt, this.settings.random())
    if (error instanceof ConnectionError) return ownMs
    if (error instanceof ServiceError && !PASSING.has(error.kind)) return null
    const waitMs = Math.max(ownMs, (error.retryAfterS ?? 0) * 1000)
    return waitMs > RETRY_WAIT_MAX_MS ? null : waitMs
  }
}

const PASSING: ReadonlySet<string> = new Set(['rate', 'unavailable', 'fault'])

const isRefusal = (error: unknown): error is ServiceError | AnswerError =>
  error instanceof ServiceError || error instanceof AnswerError
