import type { ClockState } from '../clock/session-clock.ts'
import type { Answers } from '../contract/questions.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { JournalSettings } from './journal/journal.ts'
import type { EndBehaviour, Epoch, Speed } from './playhead.ts'

/** What it stands in for: the service, or the perpetual venue itself. */
export type Profile = 'contract' | 'raw'

/** What a new sandbox can be asked to be; everything else is as the server was started. */
export interface SandboxOptions {
  name?: string
  tape?: string
  seed?: number
  at?: number
  speed?: Speed
  end?: EndBehaviour
  epoch?: Epoch
  clock?: ClockState
  now?: number
  questions?: Partial<Answers>
  signatureTime?: 'machine' | 'session'
  profile?: Profile
  metering?: 'on' | 'off'
  journal?: Partial<JournalSettings>
  /** Whether magic values work; they do unless it is off. */
  magic?: 'on' | 'off'
  /** What goes wrong from the start. */
  scenarios?: readonly Scenario[]
  /** Dropped when nobody has asked or held it for so long, ms of the machine. */
  idleMs?: number
}
