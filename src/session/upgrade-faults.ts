/** What scenarios do to an upgrade as it arrives. */
import type { Refusal } from '../contract/refusal.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { PlainResponse, RequestEffect } from '../scenario/fault.ts'
import type { FaultSubject } from '../scenario/scenario-run.ts'

export interface UpgradeFaults {
  /** Refuses every connection; null for none. */
  refusal: Refusal | null
  answer: PlainResponse | null
  /** How much older signatures are, ms. */
  skewMs: number
  /** Rules that acted. */
  ruleNames: string
}

const NO_FAULTS: UpgradeFaults = { refusal: null, answer: null, skewMs: 0, ruleNames: '' }

/** What active rules do to a connection to these channels. */
export function upgradeFaultsOf(
  { faultInjection }: Sandbox,
  channels: readonly string[],
  key: string | undefined,
): UpgradeFaults {
  if (!faultInjection.isActive) return NO_FAULTS
  const subject: FaultSubject = {
    operation: null,
    channels,
    key: key ?? null,
    coins: [],
    addresses: [],
  }
  const acting = faultInjection.activeRules(({ onRequest }) => onRequest !== undefined, subject)
  const effects = acting.map(
    ({ fault, settings, randomSource }): RequestEffect =>
      fault.onRequest?.(settings, randomSource) ?? {},
  )
  const first = effects.find(({ refusal, answer }) => refusal ?? answer)
  return {
    refusal: first?.refusal ?? null,
    answer: first?.refusal ? null : (first?.answer ?? null),
    skewMs: effects.reduce((sum, { skewMs = 0 }) => sum + skewMs, 0),
    ruleNames: acting.map(({ rule }) => rule.name).join(', '),
  }
}
