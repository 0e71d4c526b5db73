/** How a service says that it is asked too often. */
import type { Received, TransportResponse } from './target-transport.ts'

/** The forms in which it was seen to be said (open); while it starts, HTTP 503 with a time. */
export function isRateRefusal(received: Received): received is TransportResponse {
  if (!('status' in received)) return false
  const { status, text, retryAfter } = received
  if (status === 429 || (status === 503 && retryAfter !== undefined)) return true
  return /"(code|errorCode)":"?429\b|请求过于频繁/.test(text.slice(0, 500))
}

/** When to ask again, ms from now: seconds or a date; null where it is not said. */
export function retryAfterMs({ retryAfter }: TransportResponse, nowMs: number): number | null {
  if (retryAfter === undefined) return null
  const ms = /^\d+(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - nowMs
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
