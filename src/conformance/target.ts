import type { ShownReason } from '../contract/reason-text.ts'
import type { TargetTransport } from './target-transport.ts'

/** The service under test. */
export interface TargetKey {
  accessKey: string
  secretKey: string
}

/** full: may call everything. partner: a distributor. sub, bare: keys of its customers. */
export type KeyRole = 'full' | 'partner' | 'sub' | 'bare'

/** Abilities added by a control plane. */
export interface TargetControl {
  /** The clock was held before the first request. */
  isHeld?: true
  /** Holds the clock from now on and moves it; resolves when everything due has been sent. */
  advance(ms: number): Promise<void>
  /** Stops the market while the clock continues; the result resumes it. */
  freeze?(): Promise<() => Promise<void>>
  /** Creates a sub key of the partner with a level; `remove` deletes it. */
  subKey?(level: string): Promise<{ key: TargetKey; remove(): Promise<void> }>
  /** A similar target with other answers to open questions; cached by the answers. */
  answering?(questions: Readonly<Record<string, string>>): Promise<OtherTarget>
  /** The newest requests and refused sockets, oldest first, and why each was answered so. */
  journal?(): Promise<readonly JournalLine[]>
}

/** An entry of a journal. */
export interface JournalLine {
  kind: 'request' | 'socket'
  path: string
  /** As it was sent, without its signature; so is the body. */
  query?: string
  body?: string
  /** null where it was simply answered. */
  reason: ShownReason | null
}

/** A target and its transport. */
export interface OtherTarget {
  target: Target
  transport: TargetTransport
}

export interface Target {
  keys: { full: TargetKey } & Partial<Record<KeyRole, TargetKey>>
  /** Why a given key is not among them. */
  refusedKeys?: Partial<Record<KeyRole, string>>
  inviteToken?: string
  /** Its own time, which determines signatures; default the machine's. */
  nowMs?: () => number
  control?: TargetControl
  /** Accounts that the target's own lists do not show. */
  inventory?: {
    builders?: readonly string[]
    twapIds?: readonly number[]
    addresses?: Readonly<Record<string, string | null>>
    personas?: Readonly<Record<string, { address: string }>>
    /** Preferred coins, pairs and orders. */
    first?: {
      coins?: readonly string[]
      symbols?: readonly string[]
      orders?: readonly number[]
    }
    oids?: { open?: readonly number[]; cancelled?: readonly number[] }
  }
  /** Longest wait of a case for an event, ms. */
  patienceMs: number
  /** Timeout of the reply to a frame, ms (15 000). */
  replyMs?: number
}

/** A requirement of a case; a run without it skips the case with a reason. */
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

/** Why a case's needs are not met; null when they are. */
export function missingNeed(needs: readonly Need[], target: Target): string | null {
  const missing = needs.find((need) => !isOffered(need, target))
  return missing === undefined ? null : missingText(missing, target)
}

/** Reason for something missing. */
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
