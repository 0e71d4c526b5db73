/**
 * Streams whose market goes on from another place, after a seek or in another lap: each sends its
 * snapshot of there before anything else. Few do it at once; of many each has its turn.
 */
import { oneSlice, type Slices } from '../../clock/turns.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApartStreams } from './apart-streams.ts'
import type { OutgoingFrames } from './outgoing-frames.ts'
import type { Stream } from './stream.ts'
import { groupsByWeight } from './stream-groups.ts'

/** Where the streams are. */
interface BeginningHost {
  readonly sandbox: Sandbox
  readonly outgoing: OutgoingFrames
  readonly apart: ApartStreams
}

export class NewBeginnings {
  /** Those that have yet to begin, and where. */
  private readonly left = new Map<Stream, TapePosition>()

  constructor(
    private readonly host: BeginningHost,
    private readonly later: (work: Slices<void>) => unknown,
  ) {}

  /** Whether any has yet to begin. */
  get areLeft(): boolean {
    return this.left.size > 0
  }

  /** All of these begin there: at once, or in groups of which others have turns in between. */
  begin(streams: Iterable<Stream>, to: TapePosition, by: 'lap' | 'seek'): void {
    for (const stream of streams) this.left.set(stream, to)
    const groups = groupsByWeight([...this.left.keys()], this.host.apart.weightOf)
    if (groups.length <= 1) return this.beginGroup(groups[0] ?? [])
    for (const group of groups)
      this.soon(by, () => {
        this.beginGroup(group)
        this.host.outgoing.flush()
      })
  }

  /** All that have yet to begin do it in these slices, for who waits for it. */
  *rest(): Slices<void> {
    for (const stream of [...this.left.keys()]) {
      this.beginOne(stream)
      this.host.outgoing.flush()
      yield
    }
  }

  /** What a stream is told now comes after its beginning. */
  beginOne(stream: Stream): void {
    const to = this.left.get(stream)
    if (!to) return
    this.left.delete(stream)
    if (stream.subscribers.size > 0) stream.beginAnew(to)
  }

  /** Nobody follows it any more. */
  forget(stream: Stream): void {
    this.left.delete(stream)
  }

  private beginGroup(group: readonly Stream[]): void {
    for (const stream of group) this.beginOne(stream)
  }

  private soon(by: 'lap' | 'seek', task: () => void): void {
    const { clock, playhead } = this.host.sandbox
    // A clock that stands fires no alarms; one that is moved has laps in the order of all else.
    if (by === 'seek' || playhead.speed === 'max') this.later(oneSlice(task))
    else clock.at(clock.nowMs(), task, 'snapshots of a lap')
  }
}
