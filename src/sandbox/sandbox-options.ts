import type { ClockState } from '../clock/session-clock.ts'
import type { Answers } from '../contract/questions.ts'
import type { MoodName } from '../market/synth/mood.ts'
import type { Delivery } from './delivery.ts'
import type { JournalSettings } from './journal/journal.ts'
import type { Epoch } from './playhead.ts'
import type { Speed } from './playhead-anchor.ts'
import type { Scenario } from './scenario/scenario.ts'
import type { EndBehaviour } from './tape-span.ts'

/** What it imitates: the service, or the perpetual venue itself. */
export type Profile = 'contract' | 'raw'

/** What becomes of a request or a subscription that a recording does not have. */
export type Miss = 'world' | 'refuse' | 'upstream'

/** The options of a new sandbox; what is left out is as the server was started. */
export interface SandboxOptions {
  name?: string
  tape?: string
  seed?: number
  /** The recording that is served back. */
  replay?: string
  /** Where comes from what it does not have; from the world unless it says so. */
  miss?: Miss
  at?: number
  speed?: Speed
  end?: EndBehaviour
  epoch?: Epoch
  delivery?: Delivery
  /** How its market goes on after the tape; as usual when it is left out. */
  mood?: MoodName
  clock?: ClockState
  now?: number
  questions?: Partial<Answers>
  signatureTime?: 'machine' | 'session'
  profile?: Profile
  metering?: 'on' | 'off'
  journal?: Partial<JournalSettings>
  /** Whether magic values work; they do unless it is off. */
  magic?: 'on' | 'off'
  /** The scenarios that are on from the start. */
  scenarios?: readonly Scenario[]
  /** Dropped after so long without a request or a connection, ms of the machine. */
  idleMs?: number
}
