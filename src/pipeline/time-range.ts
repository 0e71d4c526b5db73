/** The longest span of time that a key may ask for (spec, Level config, max_time_range). */
import type { Ask } from '../contract/operation.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { Position } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'

/** Names of the first and the last instant of a span, as parameters spell them. */
const NAMES = [
  ['startTime', 'endTime'],
  ['start_time', 'end_time'],
] as const

/** Why a key may not ask for so long a span; one that is to be cut is cut, and null. */
export function rangeFlaw(
  sandbox: Sandbox,
  caller: Key,
  { query, body }: Ask<unknown, unknown, unknown>,
  { atMs, shiftMs }: Position,
): Refusal | null {
  const { maxTimeRangeS } = sandbox.limitsOf(caller)
  if (maxTimeRangeS === null || sandbox.terms.metering === 'off') return null
  const cut = sandbox.answers['over-time-range'] === 'cut'
  // The body of the info proxy is not shifted before it is answered.
  const nowMs = typeof (body as { type?: unknown })?.type === 'string' ? atMs + shiftMs : atMs
  return keepRange(query, atMs, maxTimeRangeS, cut) ?? keepRange(body, nowMs, maxTimeRangeS, cut)
}

/**
 * Looks for spans in parameters, in ms; one without an end reaches to `nowMs`. One that is longer
 * than `mostS` is refused, or its start is moved when `cut`.
 */
function keepRange(
  parameters: unknown,
  nowMs: number,
  mostS: number,
  cut: boolean,
): Refusal | null {
  if (typeof parameters !== 'object' || parameters === null) return null
  const fields = parameters as Record<string, unknown>
  for (const [start, end] of NAMES) {
    const fromMs = fields[start]
    if (typeof fromMs !== 'number') continue
    const toMs = typeof fields[end] === 'number' ? fields[end] : nowMs
    if (toMs - fromMs <= mostS * 1000) continue
    if (!cut) return { refused: 'timeRange', mostS }
    fields[start] = toMs - mostS * 1000
  }
  // `candleSnapshot` has its span one level down.
  return 'req' in fields ? keepRange(fields.req, nowMs, mostS, cut) : null
}
