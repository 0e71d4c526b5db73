/** The options of a sandbox with everything decided that they leave out. */

import type { ClockState } from '../clock/session-clock.ts'
import { type Answers, DEFAULT_ANSWERS, readAnswers } from '../contract/questions.ts'
import type { Delivery } from './delivery.ts'
import { DEFAULT_JOURNAL_SETTINGS, type JournalSettings } from './journal/journal.ts'
import type { Epoch } from './playhead.ts'
import type { Speed } from './playhead-anchor.ts'
import type { Miss, Profile, SandboxOptions } from './sandbox-options.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import type { EndBehaviour } from './tape-span.ts'

/** What a sandbox is made from; `reset` makes it so again. */
export interface SandboxConfig {
  id: string
  /** The id under which it was first made: its names and secrets follow from it. */
  origin: string
  identitySeed: number
  /** The options as they were given. */
  options: SandboxOptions
  /** What it was made from, when it was not made anew. */
  snapshot: SandboxState | null
  clock: ClockState
  /** What a held clock shows first; the tape's start unless given. */
  nowMs?: number
  atMs?: number
  speed?: Speed
  end?: EndBehaviour
  epoch: Epoch
  delivery: Delivery
  /** `raw` is the perpetual venue itself. */
  profile: Profile
  answers: Answers
  /** What becomes of what a recording does not have. */
  miss: Miss
  /** Whether limits are enforced; usage is counted either way. */
  metering: 'on' | 'off'
  journal: JournalSettings
  /** Whose time a `Timestamp` names. */
  signatureTime: 'machine' | 'session'
}

/** The config of the options; a UserError for answers to questions that do not exist. */
export function sandboxConfigOf(
  id: string,
  options: SandboxOptions,
  snapshot: SandboxState | null = null,
): SandboxConfig {
  return {
    id,
    origin: snapshot?.options.name ?? id,
    identitySeed: snapshot?.options.identitySeed ?? options.seed ?? 0,
    options,
    snapshot,
    clock: options.clock ?? 'running',
    epoch: options.epoch ?? 'live',
    delivery: options.delivery ?? 'paced',
    profile: options.profile ?? 'contract',
    miss: options.miss ?? 'world',
    metering: options.metering ?? 'on',
    journal: { ...DEFAULT_JOURNAL_SETTINGS, ...options.journal },
    signatureTime: options.signatureTime ?? 'machine',
    // They may have come as JSON: all options pass here.
    answers: { ...DEFAULT_ANSWERS, ...readAnswers(options.questions ?? {}) },
    ...(options.now === undefined ? {} : { nowMs: options.now }),
    ...(options.at === undefined ? {} : { atMs: options.at }),
    ...(options.speed === undefined ? {} : { speed: options.speed }),
    ...(options.end === undefined ? {} : { end: options.end }),
  }
}
