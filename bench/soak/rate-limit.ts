/** Rate limits as in gateways: a count for each minute, or a token bucket. */

/** Returns the refusal of a request beyond the limit; null when it may pass. */
export type RateLimit = () => Response | null

/**
 * So many requests in each minute; a refusal names the start of the next one.
 *
 * @param nowMs monotonic time
 */
export function minuteWindows(perMinute: number, nowMs: () => number): RateLimit {
  let [window, taken] = [Number.NaN, 0]
  return () => {
    const minute = Math.floor(nowMs() / MINUTE_MS)
    if (minute !== window) [window, taken] = [minute, 0]
    if (taken++ < perMinute) return null
    const leftS = Math.ceil(((minute + 1) * MINUTE_MS - nowMs()) / 1000)
    return refusal({ 'retry-after': String(leftS) })
  }
}

/** The same long-run rate, a tenth of it as a burst; a refusal names no time. */
export function tokenBucket(perMinute: number, nowMs: () => number): RateLimit {
  const most = Math.max(1, perMinute / 10)
  let [held, lastMs] = [most, nowMs()]
  return () => {
    const now = nowMs()
    held = Math.min(most, held + ((now - lastMs) * perMinute) / MINUTE_MS)
    lastMs = now
    if (held < 1) return refusal({})
    held--
    return null
  }
}

const MINUTE_MS = 60_000

const refusal = (headers: Record<string, string>) =>
  Response.json({ code: '429', msg: 'too many requests', data: null }, { status: 429, headers })
