/** The snapshots of one moment: whoever else asks for one then gets the same. */
import type { Answers } from '../../contract/questions.ts'
import type { TapePosition } from '../playhead.ts'

/** What a stream begins with; without data there is none. */
export interface Snapshot {
  data: unknown
  json: string
}

/** What a snapshot follows from besides its stream. */
interface SnapshotMoment {
  position: TapePosition
  answers: Answers
}

/** Characters of all that are kept. */
const KEPT_MAX = 8 << 20

export class MomentSnapshots {
  private readonly byStream = new Map<object, Snapshot>()
  private moment: SnapshotMoment | null = null
  private keptCount = 0

  get(stream: object, moment: SnapshotMoment, make: () => Snapshot): Snapshot {
    if (!this.moment || !isSame(this.moment, moment)) this.clear()
    this.moment = moment
    const known = this.byStream.get(stream)
    if (known) return known
    const made = make()
    this.keptCount += made.json.length
    if (this.keptCount > KEPT_MAX) this.clear()
    this.byStream.set(stream, made)
    return made
  }

  private clear(): void {
    this.byStream.clear()
    this.keptCount = 0
  }
}

const isSame = (one: SnapshotMoment, other: SnapshotMoment) =>
  one.position.atMs === other.position.atMs &&
  one.position.shiftMs === other.position.shiftMs &&
  one.answers === other.answers
