/** How a sandbox was asked for. */
import type { ClockState } from '../clock/session-clock.ts'
import type { Answers } from '../contract/questions.ts'
import type { JournalSettings } from './journal/journal.ts'
import type { EndBehaviour, Epoch, Speed } from './playhead.ts'

export type Profile = 'contract' | 'raw'

/** How a sandbox was asked for; `reset` makes it so again. */
export interface Terms {
  id: string
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
