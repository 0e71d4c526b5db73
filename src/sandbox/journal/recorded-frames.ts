import { ENTRY_OVERHEAD_BYTES, ENTRY_TEXT_MAX, type FrameEntry } from './entry.ts'

/** What frames of one connection and one moment have in common. */
export type FrameOrigin = Pick<
  FrameEntry,
  'sessionMs' | 'tapeMs' | 'key' | 'direction' | 'connection' | 'path'
>

/** Frames of one connection and one moment, in order. */
export class RecordedFrames {
  /** @param firstSeq number of the first one's entry */
  constructor(
    private readonly origin: FrameOrigin,
    private readonly texts: readonly string[],
    readonly firstSeq: number,
  ) {}

  /** The entry of one of them, by its number. */
  entry(seq: number): FrameEntry {
    const { sessionMs, tapeMs, key, direction, connection, path } = this.origin
    const whole = this.textOf(seq)
    const text = whole.length > ENTRY_TEXT_MAX ? whole.slice(0, ENTRY_TEXT_MAX) : whole
    return {
      kind: 'frame',
      direction,
      connection,
      path,
      sessionMs,
      tapeMs,
      key,
      rule: null,
      text,
      seq,
      bytes: frameBytes(whole),
    }
  }

  /** What the journal counts for one of them. */
  bytesOf(seq: number): number {
    return frameBytes(this.textOf(seq))
  }

  private textOf(seq: number): string {
    return this.texts[seq - this.firstSeq] as string
  }
}

/** What the journal counts for a frame. */
export const frameBytes = (text: string): number =>
  ENTRY_OVERHEAD_BYTES + Math.min(text.length, ENTRY_TEXT_MAX)
