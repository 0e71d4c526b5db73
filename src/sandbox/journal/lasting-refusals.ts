import type { JournalEntry } from './entry.ts'

/** Of the bytes of a journal at most these are taken by refusals that outlast other entries. */
const SHARE = 0.25

/**
 * Refusals that had to make room for newer entries, the newest of them. A book pushes thousands of
 * frames in the minutes until somebody asks why a request was refused.
 */
export class LastingRefusals {
  private kept: JournalEntry[] = []
  private keptBytes = 0

  /** Oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.kept
  }

  get bytes(): number {
    return this.keptBytes
  }

  /**
   * Takes an entry that makes room, if it is a refusal.
   *
   * @param maxBytes of the whole journal
   * @returns how many entries are gone by that, itself included
   */
  take(entry: JournalEntry, maxBytes: number): number {
    if (!isRefusal(entry)) return 1
    this.kept.push(entry)
    this.keptBytes += entry.bytes
    let gone = 0
    while (this.keptBytes > maxBytes * SHARE) {
      this.keptBytes -= this.kept.shift()?.bytes ?? 0
      gone++
    }
    return gone
  }

  clear(): void {
    this.kept = []
    this.keptBytes = 0
  }
}

const isRefusal = (entry: JournalEntry): boolean =>
  (entry.kind === 'request' || entry.kind === 'socket') && entry.refused !== null
