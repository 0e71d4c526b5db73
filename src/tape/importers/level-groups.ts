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
  key: string
  coin: string
  isSnapshot: boolean
  isWhole: boolean
  time: number
  bid: Map<string, Level>
  ask: Map<string, Level>
}

/**
 * Books out of a level a row: rows of one message are one change; rows of a snapshot are the full
 * book, whatever was there before. Changes before the first snapshot are of no use.
 */
export class LevelGroups {
  private group: Group | null = null
  /** Whether the last message of a coin was a snapshot, or a part of one. */
  private readonly wasSnapshot = new Map<string, boolean>()

  constructor(private readonly leftOut: LeftOut) {}

  /** Takes a level; the message before, when it begins another. */
  put({ coin, time, message, isSnapshot, isWhole = false, side, level }: LevelRow): EventDraft[] {
    const key = `${coin} ${isSnapshot && !isWhole ? 'snapshot' : message}`
    const ready = this.group?.key === key ? [] : this.end()
    this.group ??= { key, coin, isSnapshot, isWhole, time, bid: new Map(), ask: new Map() }
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
    const { isSnapshot, isWhole, coin, time } = group
    if (!isSnapshot && !this.wasSnapshot.has(coin)) {
      this.leftOut.count('change of a book before its first snapshot')
      return []
    }
    // Rows of other coins may stand between those of one snapshot.
    const isFull = isWhole || (isSnapshot && this.wasSnapshot.get(coin) !== true)
    this.wasSnapshot.set(coin, isSnapshot)
    const data = { bids: ordered(group.bid, -1, isFull), asks: ordered(group.ask, 1, isFull) }
    return [{ time, kind: isFull ? 'book' : 'delta', coin, data }]
  }
}

function ordered(side: ReadonlyMap<string, Level>, direction: 1 | -1, isFull: boolean): Level[] {
  return [...side.values()]
    .filter(([, sz]) => !isFull || sz !== '0')
    .sort(([a], [b]) => direction * (Number(a) - Number(b)))
}
