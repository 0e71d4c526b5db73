/** How a sandbox was asked for. */
import type { ClockState } from '../clock/session-clock.ts'
import { type Answers, DEFAULT_ANSWERS, readAnswers } from '../contract/questions.ts'
import { DEFAULT_JOURNAL_SETTINGS, type JournalSettings } from './journal/journal.ts'
import type { EndBehaviour, Epoch, Speed } from './playhead.ts'
import type { Profile, SandboxOptions } from './sandbox-options.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'

/** How a sandbox was asked for; `reset` makes it so again. */
export interface SandboxConfig {
  id: string
  /** The id under which it was first made: its names and secrets follow from it. */
  origin: string
  identitySeed: number
  /** What it was asked to be, in the words of the asker. */
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
  /** `raw` stands in for the perpetual venue itself. */
  profile: Profile
  answers: Answers
  /** Whether limits are kept; usage is counted either way. */
  metering: 'on' | 'off'
  journal: JournalSettings
  /** Whose time a `Timestamp` names. */
  signatureTime: 'machine' | 'session'
}

/** The terms of a wish; a UserError for answers to questions that do not exist. */
export function sandboxConfigOf(
  id: string,
  wish: SandboxOptions,
  from: SandboxState | null = null,
): SandboxConfig {
  return {
    id,
    origin: from?.options.name ?? id,
    identitySeed: from?.options.identitySeed ?? wish.seed ?? 0,
    options: wish,
    snapshot: from,
    clock: wish.clock ?? 'running',
    epoch: wish.epoch ?? 'live',
    profile: wish.profile ?? 'contract',
    metering: wish.metering ?? 'on',
    journal: { ...DEFAULT_JOURNAL_SETTINGS, ...wish.journal },
    signatureTime: wish.signatureTime ?? 'machine',
    // They may have come as JSON: this is where every wish passes.
    answers: { ...DEFAULT_ANSWERS, ...readAnswers(wish.questions ?? {}) },
    ...(wish.now === undefined ? {} : { nowMs: wish.now }),
    ...(wish.at === undefined ? {} : { atMs: wish.at }),
    ...(wish.speed === undefined ? {} : { speed: wish.speed }),
    ...(wish.end === undefined ? {} : { end: wish.end }),
  }
}
