import type { Draft, Instrument } from '../event.ts'
import type { Loose } from '../loose.ts'

/** A recorded form that can be made into a tape. */
export interface Importer {
  /** What `--from` calls it. */
  name: string
  /** One line for the help text. */
  summary: string
  /** True when a frame of a recording is of this form. */
  recognises(frame: Loose): boolean
  begin(options: ImportOptions): Reading
}

export interface ImportOptions {
  /** Go on after a break in a chain of book changes, at the next whole book. */
  resync: boolean
}

/** One recording being read, frame by frame. */
export interface Reading {
  /**
   * The events of one frame, their `time` being the source's own: it may lie before the one of the
   * event before. A frame that cannot be right is a `Complaint` that need not name the line.
   */
  frame(frame: Loose, localMs: number): Draft[]
  /** What was still held back when the recording ended. */
  end(): Draft[]
  /** The instruments seen, known for certain only at the end. */
  instruments(): Instrument[]
  /** What did not become events and why, with its number. */
  leftOut: ReadonlyMap<string, number>
}
