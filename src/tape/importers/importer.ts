import type { EventDraft, Instrument } from '../tape-event.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import type { ImportForm } from './forms.ts'

/** A recorded form that can be made into a tape. */
export interface Importer {
  /** What `--from` calls it. */
  name: ImportForm
  /** True when a frame of a recording is of this form. */
  recognises(frame: UnknownRecord): boolean
  createReader(options: ImportOptions): RecordingReader
}

export interface ImportOptions {
  /** Go on after a break in a chain of book changes, at the next full book. */
  resync: boolean
}

/** One recording being read, frame by frame. */
export interface RecordingReader {
  /**
   * The events of one frame, their `time` being the source's own: it may lie before the one of the
   * event before. A frame that cannot be right is a `UserError` that need not name the line.
   */
  frame(frame: UnknownRecord, localMs: number): EventDraft[]
  /** The events that were still waiting when the recording ended. */
  end(): EventDraft[]
  /** The instruments seen, known for certain only at the end. */
  instruments(): Instrument[]
  /** What did not become events and why, with its number. */
  leftOut: ReadonlyMap<string, number>
}
