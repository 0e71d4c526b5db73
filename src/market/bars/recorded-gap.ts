/** A span in which the recording of a market lacks something, ms of its time. */
export interface RecordedGap {
  fromMs: number
  toMs: number
  why: string
}
