/**
 * What came into a sandbox and what went out, and why. Bounded by bytes: the oldest entries make
 * room, and are counted.
 */
import { ENTRY_TEXT_MAX, type FrameEntry, type JournalEntry, withoutSecrets } from './entry.ts'

/** What frames of one connection and one moment have in common. */
type FrameOrigin = Pick<
  FrameEntry,
  'sessionMs' | 'tapeMs' | 'key' | 'direction' | 'connection' | 'path'
>

export interface JournalSettings {
  on: boolean
  /** Bytes of entries that are kept. */
  maxBytes: number
}

export const DEFAULT_JOURNAL_SETTINGS: JournalSettings = { on: true, maxBytes: 4 << 20 }

/** Bytes of an entry besides its texts. */
const ENTRY_OVERHEAD_BYTES = 160

/** An entry as it is handed in: the journal adds its number and its size. */
type NewEntry<T extends JournalEntry> = T extends JournalEntry
  ? Omit<T, 'seq' | 'bytes' | 'rule'> & { rule?: string | null }
  : never

export class Journal {
  private entries: JournalEntry[] = []
  /** Index of the oldest entry that is kept. */
  private first = 0
  private bytes = 0
  private seq = 0
  private droppedCount = 0
  private readonly listeners = new Set<(entry: JournalEntry) => void>()
  private readonly answerReaders = new Set<symbol>()

  constructor(public settings: JournalSettings = DEFAULT_JOURNAL_SETTINGS) {}

  get isOn(): boolean {
    return this.settings.on
  }

  /** Entries that had to make room. */
  get dropped(): number {
    return this.droppedCount
  }

  /** How many bytes of entries are kept. */
  get keptBytes(): number {
    return this.bytes
  }

  /** How many entries are kept. */
  get keptCount(): number {
    return this.entries.length - this.first
  }

  /** Number of the newest entry. */
  get newest(): number {
    return this.seq
  }

  record(newEntry: NewEntry<JournalEntry>): void {
    const bytes = ENTRY_OVERHEAD_BYTES + textLengthOf(newEntry)
    const { rule = null } = newEntry
    // It is the caller's no more: a copy of its fields would take longer than all the rest.
    this.add(Object.assign(newEntry, { rule, seq: ++this.seq, bytes }) as JournalEntry)
  }

  /** Frames of one connection and one moment, in order: of entries most are these. */
  recordFrames(of: FrameOrigin, texts: readonly string[]): void {
    const { sessionMs, tapeMs, key, direction, connection, path } = of
    for (const whole of texts) {
      const text = whole.length > ENTRY_TEXT_MAX ? whole.slice(0, ENTRY_TEXT_MAX) : whole
      // Written out: a copy of fields would take longer than all the rest.
      this.add({
        kind: 'frame',
        direction,
        connection,
        path,
        sessionMs,
        tapeMs,
        key,
        rule: null,
        text,
        seq: ++this.seq,
        bytes: ENTRY_OVERHEAD_BYTES + text.length,
      })
    }
  }

  private add(entry: JournalEntry): void {
    this.entries.push(entry)
    this.bytes += entry.bytes
    if (this.bytes > this.settings.maxBytes) this.makeRoom()
    for (const listener of this.listeners) listener(entry)
  }

  /** Number of the oldest entry that is kept; that of the next one when none is. */
  get oldest(): number {
    return this.seq - (this.entries.length - this.first) + 1
  }

  /** An entry by its number, as it came in; undefined when it is not kept. */
  entry(seq: number): JournalEntry | undefined {
    return this.entries[this.first + seq - this.oldest]
  }

  /** Kept entries with a number above `since`, oldest first, as they may be shown. */
  *after(since: number): Generator<JournalEntry> {
    for (let at = this.first; at < this.entries.length; at++) {
      const entry = this.entries[at] as JournalEntry
      if (entry.seq > since) yield redactedEntry(entry)
    }
  }

  /** Called with each new entry as it came in; the result removes the listener. */
  listen(listener: (entry: JournalEntry) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Whether the answers of requests are kept that are no refusals. */
  get keepsAnswers(): boolean {
    return this.answerReaders.size > 0
  }

  /** They are kept from now on, until the result is called. */
  keepAnswers(): () => unknown {
    const reader = Symbol()
    this.answerReaders.add(reader)
    return () => this.answerReaders.delete(reader)
  }

  /** From the next entry on; what is too much now is dropped by `makeRoom`. */
  set(settings: Partial<JournalSettings>): void {
    this.settings = { ...this.settings, ...settings }
  }

  /** As it was when it was made. */
  reset(): void {
    this.clear()
    this.seq = 0
  }

  clear(): void {
    this.entries = []
    this.first = 0
    this.bytes = 0
    this.droppedCount = 0
  }

  /** Drops the oldest entries while there are too many. */
  makeRoom(): void {
    while (this.bytes > this.settings.maxBytes && this.first < this.entries.length) {
      this.bytes -= (this.entries[this.first] as JournalEntry).bytes
      this.entries[this.first++] = undefined as never
      this.droppedCount++
    }
    // What is dropped is released in large pieces: moving the rest each time would cost more.
    if (this.first < 4_096 || this.first * 2 < this.entries.length) return
    this.entries = this.entries.slice(this.first)
    this.first = 0
  }
}

function textLengthOf(entry: NewEntry<JournalEntry>): number {
  if (entry.kind === 'frame') return entry.text.length
  if (entry.kind !== 'request') return 0
  return entry.query.length + entry.body.length + (entry.answer?.length ?? 0)
}

/** An entry as it may be shown: signatures are struck out when it is read, as most never are. */
export function redactedEntry(entry: JournalEntry): JournalEntry {
  if (entry.kind === 'frame') return { ...entry, text: withoutSecrets(entry.text) }
  if (entry.kind !== 'request') return entry
  const { query, body, answer } = entry
  return {
    ...entry,
    query: withoutSecrets(query),
    body: withoutSecrets(body),
    answer: answer === null ? null : withoutSecrets(answer),
  }
}
