/**
 * The journal of a sandbox: its input and output with reasons. Bounded by bytes: the oldest entries
 * are dropped and counted; refusals among them stay longer.
 */
import type { SandboxMemory } from '../memory.ts'
import type { Reason } from '../pipeline/reason.ts'

/** Entries of the journal: requests, frames, socket events, the playhead and the market. */
interface EntryHeader {
  seq: number
  /** Session time and tape time, ms. */
  sessionMs: number
  tapeMs: number
  /** Access key as it was sent, whether or not its signature was right; null without one. */
  key: string | null
  /** Rule of the scenario that acted; null for none. */
  rule: string | null
  /** The console for its own requests and sockets; null for those of clients, and for events. */
  via: 'console' | null
  bytes: number
}

/** A request and its response. */
export interface RequestEntry extends EntryHeader {
  kind: 'request'
  /** Operation id; null when the path has none. */
  operation: string | null
  method: string
  path: string
  /** As sent, without signatures; bodies are cut after 2,000 characters. */
  query: string
  body: string
  status: number
  /** What it has beyond what the contract shows: `unknown-parameters: page`. */
  lenient: string[]
  /** The refusal; its subject, or the magic value of a batch that acted. */
  refused: string | null
  subject: string | null
  /** Why it was refused, or what affected its answer; null for any other answer. */
  reason: Reason | null
  /**
   * The response body, cut after 16,000 characters: always for refusals, otherwise while a
   * subscriber follows the journal with responses. null when it was not kept.
   */
  answer: string | null
  /** Length of the whole response body. */
  answerLength: number
  /** Processing time, by the machine's clock. */
  durationMs: number
}

/** A frame on a socket. */
interface FrameEntry extends EntryHeader {
  kind: 'frame'
  direction: 'in' | 'out'
  /** Number of the connection within the sandbox. */
  connection: number
  path: string
  /** Cut after 2,000 characters. */
  text: string
}

/** A socket event: opened, refused, closed, or affected by a scenario. */
interface SocketEntry extends EntryHeader {
  kind: 'socket'
  event: 'opened' | 'refused' | 'closed' | 'fault'
  /** null for a refused connection. */
  connection: number | null
  path: string
  /** HTTP status of a refusal, or close code. */
  status: number | null
  refused: string | null
  /** The reason for closing, or the effect of the scenario. */
  subject: string | null
  /** Why the connection was refused; null for any other event. */
  reason: Reason | null
}

/** A playhead event: it falls behind its speed, has caught up, starts another lap, or was set. */
interface PlayheadEntry extends EntryHeader {
  kind: 'playhead'
  event: 'behind' | 'followed' | 'lap' | 'seek'
  /** Lag in session time, ms. */
  lagMs: number
}

/** A market event was requested, begins or has ended. `rule` names a scenario. */
export interface MarketEntry extends EntryHeader {
  kind: 'market'
  event: 'asked' | 'begun' | 'ended'
  /** Number of the market event within the sandbox. */
  id: number
  /** Its description, such as `move of BTC`. */
  subject: string
}

export type JournalEntry = RequestEntry | FrameEntry | SocketEntry | PlayheadEntry | MarketEntry

/** All kinds of entry. */
export const ENTRY_KINDS = ['request', 'frame', 'socket', 'playhead', 'market'] as const

/** Bytes of an entry besides its texts. */
const ENTRY_OVERHEAD_BYTES = 160

/** Maximum length of a kept response. */
export const ENTRY_ANSWER_MAX = 16_000

/** Maximum length of a kept text. */
export const ENTRY_TEXT_MAX = 2_000

/** A prefix of a text as its own string: a slice would keep the whole in memory. */
export const beginningOf = (text: string, length: number): string =>
  text.length <= length ? text : Buffer.from(text.slice(0, length)).toString()

/** The text without signatures and secrets. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(Signature=)[^&]*/gi, '$1…')
    .replace(/("Signature"\s*:\s*")[^"]*/gi, '$1…')
    .replace(/("secret_key"\s*:\s*")[^"]*/gi, '$1…')
}

export interface JournalSettings {
  on: boolean
  /** Maximum bytes of entries. */
  maxBytes: number
}

export const DEFAULT_JOURNAL_SETTINGS: JournalSettings = { on: true, maxBytes: 4 << 20 }

/** Bound of each journal while all journals of the process together are too large. */
const CROWDED_BYTES = 64 << 10

/** A new entry without number and size, which the journal adds. */
type NewEntry<T extends JournalEntry> = T extends JournalEntry
  ? Omit<T, 'seq' | 'bytes' | 'rule' | 'via'> & Partial<Pick<T, 'rule' | 'via'>>
  : never

export class Journal {
  /** Frames recorded together appear once for each frame. */
  private entries: (JournalEntry | RecordedFrames)[] = []
  /** Index of the oldest kept entry. */
  private first = 0
  private bytes = 0
  /** Bytes charged to the sandbox. */
  private charged = 0
  private seq = 0
  private droppedCount = 0
  private lastLong = { text: '', beginning: '' }
  private readonly lasting = new LastingRefusals()
  private readonly listeners = new Set<(entry: JournalEntry) => void>()
  private readonly answerReaders = new Set<symbol>()
  private readonly consoleReaders = new Set<symbol>()

  constructor(
    public settings: JournalSettings = DEFAULT_JOURNAL_SETTINGS,
    /** The entries are charged to it. */
    private readonly memory: SandboxMemory | null = null,
  ) {}

  get isOn(): boolean {
    return this.settings.on
  }

  /** Number of dropped entries. */
  get dropped(): number {
    return this.droppedCount
  }

  /** Bytes of kept entries. */
  get keptBytes(): number {
    return this.bytes + this.lasting.bytes
  }

  /** Number of kept entries. */
  get keptCount(): number {
    return this.entries.length - this.first + this.lasting.entries.length
  }

  /** Number of the newest entry. */
  get newest(): number {
    return this.seq
  }

  record(newEntry: NewEntry<JournalEntry>): void {
    const bytes = ENTRY_OVERHEAD_BYTES + textLengthOf(newEntry)
    const { rule = null, via = null } = newEntry
    // The entry is reused, as copying its fields would dominate the cost of recording.
    this.add(Object.assign(newEntry, { rule, via, seq: ++this.seq, bytes }) as JournalEntry)
  }

  /**
   * Records frames of one connection at one instant, in order. The journal owns the list from now
   * on, and makes entries of it only when they are read: most never are.
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
    for (const at of texts.keys()) this.notify(frames.entry(frames.firstSeq + at))
  }

  /** The kept text: a prefix of a long frame; a frame sent to many connections is copied once. */
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
    this.notify(entry)
  }

  private notify(entry: JournalEntry): void {
    for (const listener of this.listeners) listener(entry)
  }

  /** Number of the first entry from which on all are kept; the next number when none is. */
  get oldest(): number {
    return this.seq - (this.entries.length - this.first) + 1
  }

  /** The entry of a number, as recorded; undefined when it is not kept. */
  entry(seq: number): JournalEntry | undefined {
    const kept = this.entries[this.first + seq - this.oldest]
    return kept instanceof RecordedFrames ? kept.entry(seq) : kept
  }

  /** Kept entries with a number below `below`, newest first, as recorded. */
  *before(below: number): Generator<JournalEntry> {
    for (let seq = below - 1; seq >= this.oldest; seq--) {
      const entry = this.entry(seq)
      if (entry) yield entry
    }
    for (const entry of this.lasting.entries.toReversed()) if (entry.seq < below) yield entry
  }

  /** Kept entries with a number above `since`, oldest first, redacted. */
  *after(since: number): Generator<JournalEntry> {
    for (const entry of this.lasting.entries) if (entry.seq > since) yield redactedEntry(entry)
    for (let seq = Math.max(this.oldest, since + 1); seq <= this.seq; seq++) {
      const entry = this.entry(seq)
      if (entry) yield redactedEntry(entry)
    }
  }

  /** Adds a listener for each new entry as recorded; the result removes it. */
  listen(listener: (entry: JournalEntry) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Whether responses other than refusals are kept. */
  get keepsAnswers(): boolean {
    return this.answerReaders.size > 0
  }

  /** Keeps responses until the result is called. */
  keepAnswers(): () => unknown {
    const reader = Symbol()
    this.answerReaders.add(reader)
    return () => this.answerReaders.delete(reader)
  }

  /** Whether frames of the console's own sockets are recorded: they would fill the journal. */
  get keepsConsoleFrames(): boolean {
    return this.consoleReaders.size > 0
  }

  /** Records them until the result is called. */
  keepConsoleFrames(): () => unknown {
    const reader = Symbol()
    this.consoleReaders.add(reader)
    return () => this.consoleReaders.delete(reader)
  }

  /** Changes the settings for future entries; `makeRoom` drops what exceeds them. */
  set(settings: Partial<JournalSettings>): void {
    this.settings = { ...this.settings, ...settings }
  }

  /** Restores the initial state. */
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

  /** Enforces the bounds after an entry was added. */
  private settle(): void {
    if (this.keptBytes > this.maxBytes) this.makeRoom()
    else this.charge()
  }

  /** The current bound: smaller than the setting while all journals together are too large. */
  private get maxBytes(): number {
    const own = this.settings.maxBytes
    return this.memory?.whole.areJournalsFull ? Math.min(own, CROWDED_BYTES) : own
  }

  private charge(): void {
    this.memory?.add('journal', this.keptBytes - this.charged)
    this.charged = this.keptBytes
  }

  /** Drops the oldest entries while the bound is exceeded. */
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
    // Dropped entries are released in large pieces: moving the rest each time would cost more.
    if (this.first < 4_096 || this.first * 2 < this.entries.length) return
    this.entries = this.entries.slice(this.first)
    this.first = 0
  }
}

/** UTF-16 units of all texts; names of rules and subjects have no bound of their own. */
function textLengthOf(entry: NewEntry<JournalEntry>): number {
  let length = 0
  for (const value of Object.values(entry)) if (typeof value === 'string') length += value.length
  const { reason = null } = entry as { reason?: Reason | null }
  if (entry.kind === 'request' && entry.lenient.length > 0) length += entry.lenient.join().length
  return reason ? length + JSON.stringify(reason).length : length
}

/** The entry without signatures. It is redacted when read, as most entries never are. */
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

/** Maximum share of a journal's bytes for refusals that outlast other entries. */
const SHARE = 0.25

/**
 * The newest of the refusals that were dropped from the journal. A book pushes thousands of frames
 * before a user looks up a refusal.
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
   * Takes a dropped entry if it is a refusal.
   *
   * @param maxBytes of the whole journal
   * @returns how many entries are lost by that, itself included
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

/** The common fields of frames of one connection at one instant. */
type FrameOrigin = Pick<
  FrameEntry,
  'sessionMs' | 'tapeMs' | 'key' | 'direction' | 'connection' | 'path' | 'via'
>

/** Frames of one connection at one instant, in order. */
class RecordedFrames {
  /** @param firstSeq number of the first frame's entry */
  constructor(
    private readonly origin: FrameOrigin,
    private readonly texts: readonly string[],
    readonly firstSeq: number,
  ) {}

  /** The entry of a number. */
  entry(seq: number): FrameEntry {
    const { sessionMs, tapeMs, key, direction, connection, path, via } = this.origin
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
      via,
      text,
      seq,
      bytes: frameBytes(whole),
    }
  }

  /** The counted bytes of one frame. */
  bytesOf(seq: number): number {
    return frameBytes(this.textOf(seq))
  }

  private textOf(seq: number): string {
    return this.texts[seq - this.firstSeq] as string
  }
}

/** The counted bytes of a frame's entry. */
const frameBytes = (text: string): number => ENTRY_OVERHEAD_BYTES + text.length

/** Frames up to this length are kept whole: connections share them, and a copy would cost more. */
const WHOLE_LENGTH = 4 * ENTRY_TEXT_MAX

const isLong = ({ length }: string): boolean => length > WHOLE_LENGTH
