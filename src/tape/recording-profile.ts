/** What a recorder saw, counted: exchanges by method and status, frames by direction. */
import type { TapeEvent } from './tape-event.ts'

/** Events that are of no market name this. */
export const COIN_OF_NONE = ''

export interface RecordingSummary {
  /** By `GET 200`, the most frequent first. */
  exchanges: Record<string, number>
  /** By `in` and `out`. */
  frames: Record<string, number>
  /** Sockets that frames came on. */
  connections: number
}

/** Follows the events that name no coin. */
export class RecordingProfile {
  private readonly exchanges = new Map<string, number>()
  private readonly frames = new Map<string, number>()
  private readonly connections = new Set<number>()

  observe(event: TapeEvent): void {
    if (event.kind === 'exchange')
      count(this.exchanges, `${event.data.method} ${event.data.status}`)
    if (event.kind !== 'frame') return
    count(this.frames, event.data.direction)
    this.connections.add(event.data.connection)
  }

  /** Null where there was nothing of it. */
  summary(): RecordingSummary | null {
    const { exchanges, frames, connections } = this
    if (exchanges.size + frames.size === 0) return null
    const sorted = (counts: Map<string, number>) =>
      Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
    return {
      exchanges: sorted(exchanges),
      frames: sorted(frames),
      connections: connections.size,
    }
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
