/** The journal in real time: the newest entries, bounded, updated some times a second. */

import { signal } from '@preact/signals'
import type { SandboxControl } from '../../../../clients/control/control.ts'
import type { JournalEntry } from '../../../../clients/control/records.ts'
import { hostClock } from '../../../../clock/system-clock.ts'
import { type Filter, filtered, keptEntries, merged } from '../../journal/filter.ts'

/** Entries kept in the page. */
const KEPT_MAX = 10_000
const RENEWED_EVERY_MS = 120
/** Numbers of earlier entries: of all kinds, and requests, which pushes outnumber. */
const FIRST_ENTRIES = 2_000
const FIRST_REQUESTS = 500

export class JournalFeed {
  /** Entries that pass the filter, oldest first. */
  readonly shown = signal<readonly JournalEntry[]>([])
  readonly count = signal(0)
  /** Entries evicted on the server before they were read. */
  readonly dropped = signal(0)
  readonly isPaused = signal(false)
  readonly error = signal<unknown>(null)
  /** All kept entries, oldest first; refusals are kept longer. */
  entries: readonly JournalEntry[] = []
  private arrived: JournalEntry[] = []
  private matches: (entry: JournalEntry) => boolean = () => true
  private isWaiting = false

  /** Follows it until the signal, with the console's own traffic or without it. */
  async follow(
    control: SandboxControl,
    ending: AbortSignal,
    { console = false }: { console?: boolean } = {},
  ): Promise<void> {
    try {
      const [requests, { entries, newest }] = await Promise.all([
        control.journal.read({ kind: 'request', limit: FIRST_REQUESTS, console }),
        control.journal.read({ limit: FIRST_ENTRIES, console }),
      ])
      this.add(
        merged(
          requests.entries.filter(({ seq }) => seq <= newest),
          entries,
        ),
      )
      const options = { signal: ending }
      const following = await control.journal.follow(
        { since: newest, answers: true, console },
        options,
      )
      for await (const sent of following)
        if (sent.kind === 'dropped') this.dropped.value += sent.count
        else this.add([sent])
    } catch (error) {
      if (!ending.aborted) this.error.value = error
    }
  }

  filter(filter: Filter): void {
    this.matches = filtered(filter)
    this.shown.value = this.entries.filter(this.matches)
  }

  pause(isPaused: boolean): void {
    this.isPaused.value = isPaused
    if (!isPaused) this.show()
  }

  clear(): void {
    this.entries = []
    this.arrived = []
    this.shown.value = []
    this.count.value = 0
    this.dropped.value = 0
  }

  /** A kept entry, shown or not. */
  find(seq: number): JournalEntry | undefined {
    return this.entries.find((entry) => entry.seq === seq)
  }

  private add(entries: readonly JournalEntry[]): void {
    this.arrived.push(...entries)
    if (this.arrived.length > 2 * KEPT_MAX) this.arrived = this.arrived.slice(-KEPT_MAX)
    if (this.isWaiting) return
    this.isWaiting = true
    hostClock.startTimer(RENEWED_EVERY_MS, () => {
      this.isWaiting = false
      if (!this.isPaused.value) this.show()
    })
  }

  private show(): void {
    const fresh = this.arrived
    this.arrived = []
    const all = [...this.entries, ...fresh]
    this.entries = keptEntries(all, KEPT_MAX)
    const shown = [...this.shown.value, ...fresh.filter(this.matches)]
    const isBounded = this.entries.length < all.length
    const kept = new Set(isBounded ? this.entries : [])
    this.shown.value = isBounded ? shown.filter((entry) => kept.has(entry)) : shown
    this.count.value = this.entries.length
  }
}
