import type { DraftStream } from './draft-stream.ts'

/** A stream that is opened when its time comes. */
export interface WaitingStream {
  /** Time of its first event; infinite where it tells nothing. */
  firstMs: number
  open(): DraftStream
}

/**
 * The records of several streams in order of time; at the same moment, the stream that was named
 * first is first. Only streams whose time has come are open.
 */
export class MergedStreams {
  private readonly waiting: (WaitingStream & { rank: number })[]
  private active: { stream: DraftStream; rank: number }[] = []
  /** All that were opened, for what they found. */
  readonly opened: DraftStream[] = []

  constructor(streams: readonly WaitingStream[]) {
    this.waiting = streams
      .map(({ firstMs, open }, rank) => ({ firstMs, open, rank }))
      .sort((a, b) => a.firstMs - b.firstMs || a.rank - b.rank)
  }

  /** The stream whose record is next, or null at the end; a promise where one must be opened. */
  first(): DraftStream | null | Promise<DraftStream | null> {
    const head = this.earliest()
    const [next] = this.waiting
    if (next === undefined || (head !== null && head.timeMs < next.firstMs)) return head
    this.waiting.shift()
    return this.open(next)
  }

  /** The next record of the stream that was first; a promise where it must be read. */
  advance(stream: DraftStream): Promise<void> | undefined {
    const waiting = stream.next()
    if (waiting) return waiting.then(() => this.drop(stream))
    this.drop(stream)
    return undefined
  }

  /** How many files are begun. */
  begun(): number {
    return this.opened.reduce((sum, { begun }) => sum + begun, 0)
  }

  /** True when nobody can come between: the stream may go on by itself. */
  isAlone(): boolean {
    return this.active.length === 1 && this.waiting.length === 0
  }

  async close(): Promise<void> {
    for (const stream of this.opened) await stream.close()
  }

  private async open(next: WaitingStream & { rank: number }): Promise<DraftStream | null> {
    const stream = next.open()
    this.opened.push(stream)
    await stream.next()
    if (stream.drafts.length > 0) {
      this.active.push({ stream, rank: next.rank })
      this.active.sort((a, b) => a.rank - b.rank)
    } else await stream.close()
    return this.first()
  }

  private drop(stream: DraftStream): void {
    if (stream.drafts.length === 0) this.active = this.active.filter((one) => one.stream !== stream)
  }

  private earliest(): DraftStream | null {
    let first: DraftStream | null = null
    for (const { stream } of this.active)
      if (first === null || stream.timeMs < first.timeMs) first = stream
    return first
  }
}
