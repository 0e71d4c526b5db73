import { UserError } from '../../../platform/user-error.ts'

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A moment of a tape, in ms since 1970: `1737918850000`, or an offset from its start such as `30s`,
 * `1.5m`, `250ms`, `2h`, `1d`. Anything else is a `UserError` naming the flag.
 */
export function parseTapeTime(flag: string, text: string, startMs: number): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const match = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text)
  const unitMs = UNITS_MS[match?.[2] ?? '']
  if (!match || !unitMs)
    throw new UserError(
      `--${flag} must be milliseconds since 1970 or an offset such as 30s or 5m, not "${text}"`,
    )
  return startMs + Math.round(Number(match[1]) * unitMs)
}
