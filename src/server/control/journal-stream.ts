/** The journal as server-sent events. */

import type { Slices } from '../../clock/turns.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { type Journal, redactedEntry } from '../../sandbox/journal/journal.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { ControlCall } from './control-call.ts'
import { journalEntryView } from './journal-entry-view.ts'
import { type JournalFilterFields, matchesFilter } from './journal-records.ts'

/** Text that waits for a reader, letters; what comes after it waits in the journal. */
const WAITING_MAX = 1 << 16

/** What is there after `since`, then what comes; ends when the sandbox is dropped or reset. */
export function journalStream(
  { sandbox: named, pending }: ControlCall,
  filter: JournalFilterFields,
): ReadableStream<string> {
  const sandbox = named()
  const leave = pending.enter('streams')
  const events = new JournalEvents(sandbox, filter)
  const removeStopListener = sandbox.onStop(() => end())
  const forgetAnswers = filter.answers ? sandbox.journal.keepAnswers() : () => {}
  const end = () => {
    forgetAnswers()
    removeStopListener()
    events.stop()
    leave()
  }
  return new ReadableStream<string>({
    // A first line tells the reader that the stream is open.
    start: (controller) => controller.enqueue(': the journal\n\n'),
    async pull(controller) {
      const text = await events.next()
      if (text === null) controller.close()
      else controller.enqueue(text)
    },
    cancel: end,
  })
}

/**
 * Events for one reader. He has a place in the journal: what he does not take stays there, until it
 * makes room for newer entries.
 */
class JournalEvents {
  private readonly journal: Journal
  /** Number of the entry that was looked at last. */
  private seq: number
  private waiting = ''
  /** Letters that the sandbox is charged for: those that wait, or were given out last. */
  private charged = 0
  private wake: () => void = () => {}
  private isStopped = false
  private readonly removeListener: () => void

  constructor(
    private readonly sandbox: Sandbox,
    private readonly filter: JournalFilterFields,
  ) {
    this.journal = sandbox.journal
    this.seq = filter.since ?? this.journal.newest
    this.removeListener = this.journal.listen((entry) => this.note(entry))
  }

  /** The next events, as soon as there are some; null after the end. */
  async next(): Promise<string | null> {
    while (!this.isStopped && this.waiting === '') {
      const woken = new Promise<void>((resume) => {
        this.wake = resume
      })
      await this.sandbox.turns.run(this.sandbox, this.readOn(), 'a live journal')
      if (this.waiting === '' && !this.isStopped) await woken
    }
    const text = this.waiting
    this.waiting = ''
    this.charge(text.length)
    return this.isStopped ? null : text
  }

  stop(): void {
    this.isStopped = true
    this.waiting = ''
    this.charge(0)
    this.removeListener()
    this.wake()
  }

  private charge(length: number): void {
    this.sandbox.memory.add('calls', length - this.charged)
    this.charged = length
  }

  /** A new entry: taken at once by a reader who has come this far, as it may not be kept. */
  private note(entry: JournalEntry): void {
    if (this.seq === entry.seq - 1 && this.waiting.length < WAITING_MAX) this.take(entry)
    this.wake()
  }

  /** Takes what is in the journal, as much as may wait. */
  private *readOn(): Slices<void> {
    while (this.seq < this.journal.newest && this.waiting.length < WAITING_MAX) {
      const missed = this.journal.oldest - this.seq - 1
      if (missed > 0) {
        this.waiting += `event: dropped\ndata: ${missed}\n\n`
        this.seq += missed
      }
      const entry = this.journal.entry(this.seq + 1)
      if (entry) this.take(entry)
      yield
    }
  }

  private take(entry: JournalEntry): void {
    this.seq = entry.seq
    if (!matchesFilter(entry, this.filter)) return
    const shown = journalEntryView(redactedEntry(entry))
    this.waiting += `id: ${entry.seq}\ndata: ${JSON.stringify(shown)}\n\n`
    this.charge(this.waiting.length)
  }
}
