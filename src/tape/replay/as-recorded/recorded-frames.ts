/** The frames of a recording in order of time, without their texts. */
import { NumberColumn } from './number-column.ts'

/** A frame that was pushed. */
export interface RecordedFrame {
  /** Tape time, ms. */
  atMs: number
  /** Id of its stream. */
  stream: string
  /** Its number in the store of texts. */
  text: number
}

export class RecordedFrames {
  private readonly times = new NumberColumn()
  private readonly streams = new NumberColumn()
  private readonly texts = new NumberColumn()
  private readonly ids: string[] = []
  private readonly numbers = new Map<string, number>()

  get length(): number {
    return this.times.length
  }

  /** In order of time. */
  add({ atMs, stream, text }: RecordedFrame): void {
    const number = this.numbers.get(stream) ?? this.ids.push(stream) - 1
    this.numbers.set(stream, number)
    this.times.push(atMs)
    this.streams.push(number)
    this.texts.push(text)
  }

  /** Those from an instant on, before another. */
  between(fromMs: number, toMs: number): RecordedFrame[] {
    const first = this.times.countBelow(fromMs)
    const count = this.times.countBelow(toMs) - first
    return Array.from({ length: count }, (_, n) => this.at(first + n))
  }

  /** The latest at or before an instant, and those that came with it; none before the first. */
  latestAt(atMs: number): RecordedFrame[] {
    const end = this.times.countBelow(atMs + 1)
    if (end === 0) return []
    const lastMs = this.times.at(end - 1)
    return this.between(lastMs, lastMs + 1)
  }

  /** The first; undefined where there is none. */
  get first(): RecordedFrame | undefined {
    return this.length === 0 ? undefined : this.at(0)
  }

  private at(place: number): RecordedFrame {
    const stream = this.ids[this.streams.at(place)] as string
    return { atMs: this.times.at(place), stream, text: this.texts.at(place) }
  }
}
