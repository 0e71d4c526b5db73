/**
 * Seconds until it may be tried again, by a `Retry-After` header; null for none. It is a number of
 * seconds or a date (RFC 9110, 10.2.3), counted from the answer's own `Date` where it has one.
 */
export function retryAfterS(
  header: string | null,
  { date, nowMs }: { date: string | null; nowMs: number },
): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const untilMs = Date.parse(header)
  if (Number.isNaN(untilMs)) return null
  const sentMs = date === null ? Number.NaN : Date.parse(date)
  return Math.max(0, Math.ceil((untilMs - (Number.isNaN(sentMs) ? nowMs : sentMs)) / 1000))
}
