/** What a recorder saw, counted: exchanges by method and status, frames by direction. */

import type { Silence } from '../market/bars/silence-log.ts'
import type { GapData } from './recorded-data.ts'
import type { TapeEvent } from './tape-event.ts'

/** Events that are of no market name this. */
export const COIN_OF_NONE = ''

export interface RecordingSummary {
  /** By `GET 200`, the most frequent first. */
  exchanges: Record<string, number>
  /** By `in` and `out`. */
  frames: Record<string, number>
  /** Sockets that were seen. */
  connections: number
  /** Where the recorder says that something is missing, ms; the first ones. */
  missing: (Silence & { why: string; lost?: number })[]
  missingCount: number
}

/** How many places with something missing are listed. */
const LISTED_MAX = 10

/** Follows the events that name no coin. */
export class RecordingProfile {
  private readonly exchanges = new Map<string, number>()
  private readonly frames = new Map<string, number>()
  private readonly connections = new Set<number>()
  private readonly missing: RecordingSummary['missing'] = []
  private missingCount = 0

  observe({ time, kind, data }: TapeEvent): void {
    if (kind === 'gap') this.noteMissing(time, data)
    if (kind === 'exchange') count(this.exchanges, `${data.method} ${data.status}`)
    if (kind === 'frame') count(this.frames, data.direction)
    if (kind === 'frame' || kind === 'connection') this.connections.add(data.connection)
  }

  /** Null where there was nothing of it. */
  summary(): RecordingSummary | null {
    const { exchanges, frames, connections } = this
    if (exchanges.size + frames.size + connections.size + this.missingCount === 0) return null
    const sorted = (counts: Map<string, number>) =>
      Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
    return {
      exchanges: sorted(exchanges),
      frames: sorted(frames),
      connections: connections.size,
      missing: this.missing,
      missingCount: this.missingCount,
    }
  }

  private noteMissing(toMs: number, { fromMs, why, lost }: GapData): void {
    this.missingCount++
    if (this.missing.length === LISTED_MAX) return
    this.missing.push({ fromMs, toMs, why, ...(lost === undefined ? {} : { lost }) })
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
