import { UserError } from '../../platform/user-error.ts'
import type { EventDraft, Level } from '../tape-event.ts'
import type { LeftOut } from './left-out.ts'

/** More levels than any exchange has in a book. */
const LEVELS_MAX = 200_000

/** One level of a book as a row tells it. */
export interface LevelRow {
  coin: string
  time: number
  /** Rows of one message have the same. */
  message: string
  /** Whether it is a part of a full book. */
  isSnapshot: boolean
  /** Whether its message is a full book of its own, and not one of several that are. */
  isWhole?: boolean
  side: 'bid' | 'ask'
  level: Level
}

/** Rows of one message. */
interface Group {
  coin: string
  message: string
  isSnapshot: boolean
  isWhole: boolean
  time: number
  bid: Map<string, Level>
  ask: Map<string, Level>
}

/**
 * Books out of a level a row: rows of one message are one change. Rows of a snapshot share its
 * instant, their message or their time, and are the full book, whatever was there before: a new
 * instant begins a new book. Changes before the first snapshot are of no use.
 */
export class LevelGroups {
  private group: Group | null = null
  /** The last message of a coin where it was a snapshot or a part of one, else null. */
  private readonly snapshots = new Map<string, Pick<Group, 'message' | 'time'> | null>()

  constructor(private readonly leftOut: LeftOut) {}

  /** Takes a level; the message before, when it begins another. */
  put(row: LevelRow): EventDraft[] {
    const { coin, time, message, isSnapshot, isWhole = false, side, level } = row
    const ready = this.group !== null && isOf(this.group, row) ? [] : this.end()
    this.group ??= { coin, message, isSnapshot, isWhole, time, bid: new Map(), ask: new Map() }
    const levels = this.group[side]
    levels.set(level[0], level)
    if (levels.size > LEVELS_MAX)
      throw new UserError(`has more than ${LEVELS_MAX} levels on a side of a book`)
    this.group.time = Math.max(this.group.time, time)
    return ready
  }

  /** The message that was being read. */
  end(): EventDraft[] {
    const { group } = this
    this.group = null
    if (group === null) return []
    const { isSnapshot, isWhole, coin, time, message } = group
    const before = this.snapshots.get(coin)
    if (!isSnapshot && before === undefined) {
      this.leftOut.count('change of a book before its first snapshot')
      return []
    }
    // Rows of other coins may stand between those of one snapshot.
    const isPart = before != null && (before.message === message || before.time === time)
    const isFull = isWhole || (isSnapshot && !isPart)
    this.snapshots.set(coin, isSnapshot ? { message, time } : null)
    const data = { bids: ordered(group.bid, -1, isFull), asks: ordered(group.ask, 1, isFull) }
    return [{ time, kind: isFull ? 'book' : 'delta', coin, data }]
  }
}

/** Whether a row belongs to the message that is being read. */
function isOf(group: Group, { coin, time, message, isSnapshot, isWhole }: LevelRow): boolean {
  if (group.coin !== coin || group.isSnapshot !== isSnapshot) return false
  return group.message === message || (isSnapshot && !isWhole && group.time === time)
}

function ordered(side: ReadonlyMap<string, Level>, direction: 1 | -1, isFull: boolean): Level[] {
  return [...side.values()]
    .filter(([, sz]) => !isFull || sz !== '0')
    .sort(([a], [b]) => direction * (Number(a) - Number(b)))
}
