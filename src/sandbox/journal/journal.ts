/**
 * What came into a sandbox and what went out, and why. Bounded by bytes: the oldest entries make
 * room, and are counted; refusals among them stay longer.
 */
import type { SandboxMemory } from '../memory.ts'
import {
  beginningOf,
  ENTRY_OVERHEAD_BYTES,
  ENTRY_TEXT_MAX,
  type FrameEntry,
  type JournalEntry,
  withoutSecrets,
} from './entry.ts'

export interface JournalSettings {
  on: boolean
  /** Bytes of entries that are kept. */
  maxBytes: number
}

export const DEFAULT_JOURNAL_SETTINGS: JournalSettings = { on: true, maxBytes: 4 << 20 }

/** What one may keep while all of the process together are too large. */
const CROWDED_BYTES = 64 << 10

/** An entry as it is handed in: the journal adds its number and its size. */
type NewEntry<T extends JournalEntry> = T extends JournalEntry
  ? Omit<T, 'seq' | 'bytes' | 'rule'> & { rule?: string | null }
  : never

export class Journal {
  /** Frames that were recorded at once stand there once for each. */
  private entries: (JournalEntry | RecordedFrames)[] = []
  /** Index of the oldest entry that is kept. */
  private first = 0
  private bytes = 0
  /** Bytes that the sandbox is charged for. */
  private charged = 0
  private seq = 0
  private droppedCount = 0
  private lastLong = { text: '', beginning: '' }
  private readonly lasting = new LastingRefusals()
  private readonly listeners = new Set<(entry: JournalEntry) => void>()
  private readonly answerReaders = new Set<symbol>()

  constructor(
    public settings: JournalSettings = DEFAULT_JOURNAL_SETTINGS,
    /** What is kept is charged to it. */
    private readonly memory: SandboxMemory | null = null,
  ) {}

  get isOn(): boolean {
    return this.settings.on
  }

  /** Entries that had to make room. */
  get dropped(): number {
    return this.droppedCount
  }

  /** How many bytes of entries are kept. */
  get keptBytes(): number {
    return this.bytes + this.lasting.bytes
  }

  /** How many entries are kept. */
  get keptCount(): number {
    return this.entries.length - this.first + this.lasting.entries.length
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

  /**
   * Frames of one connection and one moment, in order: of entries most are these. The list is the
   * journal's from here on, and an entry is made of each when it is read, as most never are.
   */
  recordFrames(of: FrameOrigin, sent: readonly string[]): void {
    const texts = sent.some(isLong) ? sent.map((text) => this.kept(text)) : sent
    const frames = new RecordedFrames(of, texts, this.seq + 1)
    for (const text of texts) {
      this.entries.push(frames)
      this.bytes += frameBytes(text)
    }
    this.seq += texts.length
    this.settle()
    if (this.listeners.size === 0) return
    for (const at of texts.keys()) this.tell(frames.entry(frames.firstSeq + at))
  }

  /** Of a long frame its beginning; a frame that many connections are sent is copied once. */
  private kept(text: string): string {
    if (!isLong(text)) return text
    if (this.lastLong.text !== text)
      this.lastLong = { text, beginning: beginningOf(text, ENTRY_TEXT_MAX) }
    return this.lastLong.beginning
  }

  private add(entry: JournalEntry): void {
    this.entries.push(entry)
    this.bytes += entry.bytes
    this.settle()
    this.tell(entry)
  }

  private tell(entry: JournalEntry): void {
    for (const listener of this.listeners) listener(entry)
  }

  /** Number of the oldest entry from which on all are kept; that of the next one when none is. */
  get oldest(): number {
    return this.seq - (this.entries.length - this.first) + 1
  }

  /** An entry by its number, as it came in; undefined when it is not kept. */
  entry(seq: number): JournalEntry | undefined {
    const kept = this.entries[this.first + seq - this.oldest]
    return kept instanceof RecordedFrames ? kept.entry(seq) : kept
  }

  /** Kept entries with a number below `below`, newest first, as they came in. */
  *before(below: number): Generator<JournalEntry> {
    for (let seq = below - 1; seq >= this.oldest; seq--) {
      const entry = this.entry(seq)
      if (entry) yield entry
    }
    for (const entry of this.lasting.entries.toReversed()) if (entry.seq < below) yield entry
  }

  /** Kept entries with a number above `since`, oldest first, as they may be shown. */
  *after(since: number): Generator<JournalEntry> {
    for (const entry of this.lasting.entries) if (entry.seq > since) yield redactedEntry(entry)
    for (let seq = Math.max(this.oldest, since + 1); seq <= this.seq; seq++) {
      const entry = this.entry(seq)
      if (entry) yield redactedEntry(entry)
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
    this.lasting.clear()
    this.charge()
  }

  /** Keeps the bounds after something was added. */
  private settle(): void {
    if (this.keptBytes > this.maxBytes) this.makeRoom()
    else this.charge()
  }

  /** What it may keep now: less than it was set to while all journals together are too large. */
  private get maxBytes(): number {
    const own = this.settings.maxBytes
    return this.memory?.whole.areJournalsFull ? Math.min(own, CROWDED_BYTES) : own
  }

  private charge(): void {
    this.memory?.add('journal', this.keptBytes - this.charged)
    this.charged = this.keptBytes
  }

  /** Drops the oldest entries while there are too many. */
  makeRoom(): void {
    const { maxBytes } = this
    while (this.keptBytes > maxBytes && this.first < this.entries.length) {
      const oldest = this.entries[this.first] as JournalEntry | RecordedFrames
      const isFrame = oldest instanceof RecordedFrames
      this.bytes -= isFrame ? oldest.bytesOf(this.oldest) : oldest.bytes
      this.entries[this.first++] = undefined as never
      this.droppedCount += isFrame ? 1 : this.lasting.take(oldest, maxBytes)
    }
    this.charge()
    // What is dropped is released in large pieces: moving the rest each time would cost more.
    if (this.first < 4_096 || this.first * 2 < this.entries.length) return
    this.entries = this.entries.slice(this.first)
    this.first = 0
  }
}

/** UTF-16 units of all its texts; names of rules and subjects are as long as a tenant likes. */
function textLengthOf(entry: NewEntry<JournalEntry>): number {
  let length = 0
  for (const value of Object.values(entry)) if (typeof value === 'string') length += value.length
  return length
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

/** Of the bytes of a journal at most these are taken by refusals that outlast other entries. */
const SHARE = 0.25

/**
 * Refusals that had to make room for newer entries, the newest of them. A book pushes thousands of
 * frames in the minutes until somebody asks why a request was refused.
 */
class LastingRefusals {
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

/** What frames of one connection and one moment have in common. */
type FrameOrigin = Pick<
  FrameEntry,
  'sessionMs' | 'tapeMs' | 'key' | 'direction' | 'connection' | 'path'
>

/** Frames of one connection and one moment, in order. */
class RecordedFrames {
  /** @param firstSeq number of the first one's entry */
  constructor(
    private readonly origin: FrameOrigin,
    private readonly texts: readonly string[],
    readonly firstSeq: number,
  ) {}

  /** The entry of one of them, by its number. */
  entry(seq: number): FrameEntry {
    const { sessionMs, tapeMs, key, direction, connection, path } = this.origin
    const whole = this.textOf(seq)
    const text = whole.length > ENTRY_TEXT_MAX ? whole.slice(0, ENTRY_TEXT_MAX) : whole
    return {
      kind: 'frame',
      direction,
      connection,
      path,
      sessionMs,
      tapeMs,
      key,
      rule: null,
      text,
      seq,
      bytes: frameBytes(whole),
    }
  }

  /** What the journal counts for one of them. */
  bytesOf(seq: number): number {
    return frameBytes(this.textOf(seq))
  }

  private textOf(seq: number): string {
    return this.texts[seq - this.firstSeq] as string
  }
}

/** What the journal counts for a frame: all that it keeps of it. */
const frameBytes = (text: string): number => ENTRY_OVERHEAD_BYTES + text.length

/** Frames up to this are kept whole: connections share them, and a copy would cost more. */
const WHOLE_LENGTH = 4 * ENTRY_TEXT_MAX

const isLong = ({ length }: string): boolean => length > WHOLE_LENGTH
