/** What scenarios do to an upgrade as it arrives. */
import type { Channel } from '../contract/channel.ts'
import type { Refusal } from '../contract/refusal.ts'
import { refusalByRule } from '../sandbox/refusal-by-rule.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { PlainResponse, RequestEffect } from '../scenario/fault.ts'
import type { FaultSubject } from '../scenario/scenario-run.ts'

export interface UpgradeFaults {
  /** Refuses every connection; null for none. */
  refusal: Refusal | null
  answer: PlainResponse | null
  /** How much the service's clock seems ahead, ms. */
  skewMs: number
  /** It waits so long, ms of the session clock. */
  delayMs: number
  /** Rules that acted. */
  ruleNames: string
}

const NO_FAULTS: UpgradeFaults = {
  refusal: null,
  answer: null,
  skewMs: 0,
  delayMs: 0,
  ruleNames: '',
}

/** What active rules do to a connection to these channels. */
export function upgradeFaultsOf(
  sandbox: Sandbox,
  channels: readonly Channel[],
  key: string | undefined,
): UpgradeFaults {
  const { faultInjection } = sandbox
  if (!faultInjection.isActive) return NO_FAULTS
  const subject: FaultSubject = {
    operations: [],
    channels: channels.map(({ id }) => id),
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
  const refusal = first?.refusal
  return {
    refusal: refusal ? refusalByRule(sandbox, refusal, channels[0] as Channel, key) : null,
    answer: refusal ? null : (first?.answer ?? null),
    skewMs: sumOf(effects, 'skewMs'),
    delayMs: sumOf(effects, 'delayMs'),
    ruleNames: acting.map(({ rule }) => rule.name).join(', '),
  }
}

const sumOf = (effects: readonly RequestEffect[], what: 'skewMs' | 'delayMs') =>
  effects.reduce((sum, effect) => sum + (effect[what] ?? 0), 0)
