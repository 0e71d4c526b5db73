import type { SystemClock } from '../../clock/system-clock.ts'
import type { FileSink } from './file/file-sink.ts'
import type { Rotation } from './file/rotation.ts'
import type { Redaction } from './redaction/redaction.ts'

/** What a recording needs to know. */
export interface RecordingSettings {
  path: string
  /** Where it comes from, in words. */
  source: string
  rotation: Rotation
  redaction: Redaction
  clock: SystemClock
  /** Opens a file that does not exist yet. */
  openSink: (path: string) => Promise<FileSink>
  /** Letters that may wait to be written; 64 Mi where absent. */
  waitingLettersMax?: number
  /** Says something to who watches. */
  say: (line: string) => void
}
