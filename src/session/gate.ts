/** What scenarios do to an upgrade as it arrives. */
import type { Refusal } from '../contract/refusal.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Arrival, Plain } from '../scenario/deed.ts'
import type { Subject } from '../scenario/script.ts'

export interface Gate {
  /** Nobody gets in; null when all do. */
  refusal: Refusal | null
  answer: Plain | null
  /** How much older signatures are, ms. */
  skewMs: number
  /** Rules that acted. */
  acted: string
}

const OPEN: Gate = { refusal: null, answer: null, skewMs: 0, acted: '' }

/** What stands in the way of a connection to these channels. */
export function gateOf({ trouble }: Sandbox, channels: readonly string[], key: string | undefined) {
  if (!trouble.isOn) return OPEN
  const subject: Subject = {
    operation: null,
    channels,
    key: key ?? null,
    coins: [],
    addresses: [],
  }
  const acting = trouble.acting(({ arrive }) => arrive !== undefined, subject)
  const arrivals = acting.map(
    ({ deed, settings, dice }): Arrival => deed.arrive?.(settings, dice) ?? {},
  )
  const first = arrivals.find(({ refusal, answer }) => refusal ?? answer)
  return {
    refusal: first?.refusal ?? null,
    answer: first?.refusal ? null : (first?.answer ?? null),
    skewMs: arrivals.reduce((sum, { skewMs = 0 }) => sum + skewMs, 0),
    acted: acting.map(({ rule }) => rule.name).join(', '),
  }
}
