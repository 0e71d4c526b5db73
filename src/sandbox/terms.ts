/** How a sandbox was asked for. */
import type { ClockState } from '../clock/session-clock.ts'
import { type Answers, CHOSEN, readAnswers } from '../contract/questions.ts'
import { type JournalSettings, STANDING } from './journal/journal.ts'
import type { EndBehaviour, Epoch, Speed } from './playhead.ts'
import type { SandboxState } from './saved/state.ts'
import type { Profile, Wish } from './wish.ts'

/** How a sandbox was asked for; `reset` makes it so again. */
export interface Terms {
  id: string
  /** The id under which it was first made: its names and secrets follow from it. */
  origin: string
  chance: number
  /** What it was asked to be, in the words of the asker. */
  wish: Wish
  /** What it was made from, when it was not made anew. */
  from: SandboxState | null
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

/** The terms of a wish; a Complaint for answers to questions that do not exist. */
export function termsOf(id: string, wish: Wish, from: SandboxState | null = null): Terms {
  return {
    id,
    origin: from?.made.name ?? id,
    chance: from?.made.chance ?? wish.seed ?? 0,
    wish,
    from,
    clock: wish.clock ?? 'running',
    epoch: wish.epoch ?? 'live',
    profile: wish.profile ?? 'contract',
    metering: wish.metering ?? 'on',
    journal: { ...STANDING, ...wish.journal },
    signatureTime: wish.signatureTime ?? 'machine',
    // They may have come as JSON: this is where every wish passes.
    answers: { ...CHOSEN, ...readAnswers(wish.questions ?? {}) },
    ...(wish.now === undefined ? {} : { nowMs: wish.now }),
    ...(wish.at === undefined ? {} : { atMs: wish.at }),
    ...(wish.speed === undefined ? {} : { speed: wish.speed }),
    ...(wish.end === undefined ? {} : { end: wish.end }),
  }
}
