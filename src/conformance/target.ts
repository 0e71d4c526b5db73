import type { TargetTransport } from './target-transport.ts'

/** What is known of the service that is looked at. */
export interface TargetKey {
  accessKey: string
  secretKey: string
}

/** full: may call everything. partner: a distributor. sub, bare: keys of its customers. */
export type KeyRole = 'full' | 'partner' | 'sub' | 'bare'

/** What a control plane adds. */
export interface TargetControl {
  /** Holds the clock from now on and moves it; resolves when all that fell due has been sent. */
  advance(ms: number): Promise<void>
  /** Stops the market while the clock goes on; the answer lets it go on. */
  freeze?(): Promise<() => Promise<void>>
  /** Makes a sub key of a level of the partner; `remove` takes it away. */
  subKey?(level: string): Promise<{ key: TargetKey; remove(): Promise<void> }>
  /** Another target like it that answers open questions in another way; the same for the same. */
  answering?(questions: Readonly<Record<string, string>>): Promise<OtherTarget>
}

/** A target, and how it is reached. */
export interface OtherTarget {
  target: Target
  transport: TargetTransport
}

export interface Target {
  keys: { full: TargetKey } & Partial<Record<KeyRole, TargetKey>>
  /** Why a key that was given is not among them. */
  refusedKeys?: Partial<Record<KeyRole, string>>
  inviteToken?: string
  /** Its own time, by which it judges signatures; the machine's without. */
  nowMs?: () => number
  control?: TargetControl
  /** Who there is that cannot be found in the target's own lists. */
  inventory?: {
    builders?: readonly string[]
    twapIds?: readonly number[]
    addresses?: Readonly<Record<string, string | null>>
    personas?: Readonly<Record<string, { address: string }>>
    /** Coins, pairs and orders to ask about before all others. */
    first?: {
      coins?: readonly string[]
      symbols?: readonly string[]
      orders?: readonly number[]
    }
    oids?: { open?: readonly number[]; cancelled?: readonly number[] }
  }
  /** How long a case may wait for something to happen by itself, ms. */
  patienceMs: number
  /** How long the answer to a frame may take, ms (15 000). */
  replyMs?: number
}

/** What a case cannot do without; a run without it skips the case and says so. */
export type Need =
  /** The key of a distributor. */
  | 'partner'
  /** A sub key of that distributor whose level grants something. */
  | 'sub'
  /** A sub key whose level grants nothing. */
  | 'bare'
  /** An invite token that may be used up. */
  | 'invite'
  /** Control over the target's time. */
  | 'control'

/** Why a case that needs this cannot be tried; null when it can. */
export function missingNeed(needs: readonly Need[], target: Target): string | null {
  const missing = needs.find((need) => !isOffered(need, target))
  return missing === undefined ? null : missingText(missing, target)
}

/** Why there is no such thing. */
export const missingText = (need: Need | KeyRole, { refusedKeys = {} }: Target): string =>
  (need in refusedKeys ? refusedKeys[need as KeyRole] : undefined) ?? SKIP_REASONS[need]

function isOffered(need: Need, { keys, inviteToken, control }: Target): boolean {
  if (need === 'invite') return inviteToken !== undefined
  if (need === 'control') return control !== undefined
  return keys[need] !== undefined
}

const SKIP_REASONS: Record<Need | KeyRole, string> = {
  full: 'no key was given',
  partner: 'no key of a distributor was given',
  sub: 'no sub key was given',
  bare: 'no sub key without permissions was given',
  invite: 'no invite token was given',
  control: 'the time of the target cannot be moved',
}
