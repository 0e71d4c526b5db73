import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { zstdCompressSync } from 'node:zlib'
import { UserError } from '../platform/user-error.ts'
import { CoinNumbers } from './decimal-text.ts'
import { draftFlaw } from './event-check.ts'
import {
  type EventDraft,
  type EventKind,
  FORMAT,
  type Instrument,
  instrumentsByCoin,
  readHeader,
  type TapeHeader,
  VERSION,
} from './tape-event.ts'
import type { KeptParts } from './text-sink.ts'
import { TextSink, temporaryName } from './text-sink.ts'

/** A tape being written. It gets its name only in `finish`. */
export interface TapeWriter {
  /**
   * Adds an event with the next `seq`. Await the promise, where there is one, before the next: it
   * is the back pressure of a slow disk. An invalid event is a `UserError`.
   */
  write(event: EventDraft): Promise<void> | undefined
  /**
   * Call between two awaited writes: saves what is written so far as a part, when there is enough
   * of it and the tape is resumable.
   */
  keep(): Promise<void> | undefined
  /** Number of events so far. */
  readonly events: number
  /** Moves the tape into place; returns its header. `more` adds instruments known only now. */
  finish(more?: readonly Instrument[]): Promise<TapeHeader>
  /** Removes everything but kept parts. Harmless after `finish`. */
  abandon(): Promise<void>
}

/** An event breaks a rule of the format. */
export class EventFlaw extends UserError {
  override name = 'EventFlaw'

  constructor(
    place: string,
    readonly flaw: string,
  ) {
    super(`${place} ${flaw}`)
  }
}

/** The header fields that do not follow from the events. */
export interface TapeDescription {
  /** Origin of the tape, as text. */
  source: string
  instruments: readonly Instrument[]
}

/**
 * Creates a tape at `path`, zstd when the name ends in `.zst`; memory does not grow with its
 * length.
 *
 * The header contains the counts and comes first, so events go to a temporary file beside it, and
 * `finish` writes header and events to another one that is renamed. A missing or unwritable folder
 * is a `UserError`. For a resumed tape, `kept` has the finished events: the caller writes them
 * again, and they are only counted.
 */
export async function createTape(
  path: string,
  about: TapeDescription,
  kept: KeptParts | null = null,
): Promise<TapeWriter> {
  const body = await TextSink.open(kept?.next() ?? path, path.endsWith('.zst'))
  return new FileTapeWriter(path, about, body, kept)
}

/** Events per part: some seconds of work. */
const PART_EVENTS = 100_000

class FileTapeWriter implements TapeWriter {
  private readonly counts = new Map<EventKind, { events: number }>()
  private readonly coins: WrittenCoins
  private startMs: number | null = null
  private lastMs = 0
  private seq = 0

  constructor(
    private readonly path: string,
    private readonly description: TapeDescription,
    private body: TextSink,
    private readonly kept: KeptParts | null,
  ) {
    this.coins = new WrittenCoins(instrumentsByCoin(description.instruments))
  }

  get events(): number {
    return this.seq
  }

  write(event: EventDraft): Promise<void> | undefined {
    const { time, kind } = event
    const coin = this.coins.of(event.coin)
    const flaw = draftFlaw(event, this.lastMs, coin.numbers)
    coin.numbers.settle(flaw === null)
    if (flaw) throw new EventFlaw(`${this.path}: event ${this.seq + 1} (${kind})`, flaw)
    coin.isUsed = true
    this.startMs ??= time
    this.lastMs = time
    this.count(kind)
    this.seq++
    if (this.kept !== null && this.seq <= this.kept.events) return undefined
    return this.body.writeEvent(event, this.seq)
  }

  keep(): Promise<void> | undefined {
    if (this.kept === null || this.seq < this.kept.events + PART_EVENTS) return undefined
    return this.keepPart(this.kept)
  }

  async finish(more: readonly Instrument[] = []): Promise<TapeHeader> {
    try {
      await this.body.close()
      const header = this.header([...this.description.instruments, ...more])
      const line = JSON.stringify(header)
      // The reader must accept the header.
      readHeader(this.path, line)
      await this.assemble(`${line}\n`, [...(this.kept?.files() ?? []), this.body.file])
      await this.kept?.remove()
      return header
    } finally {
      await this.abandon()
    }
  }

  async abandon(): Promise<void> {
    await this.body.remove()
    if (this.kept?.events === 0) await this.kept.remove()
  }

  private async keepPart(kept: KeptParts): Promise<void> {
    await this.body.close()
    await kept.add(this.body.file, this.seq)
    this.body = await TextSink.open(kept.next(), this.body.packed)
  }

  private count(kind: EventKind): void {
    const counted = this.counts.get(kind)
    if (counted) counted.events++
    else this.counts.set(kind, { events: 1 })
  }

  private header(instruments: Instrument[]): TapeHeader {
    this.coins.check(this.path, instrumentsByCoin(instruments))
    return {
      format: FORMAT,
      version: VERSION,
      source: this.description.source,
      instruments,
      startMs: this.startMs ?? 0,
      endMs: this.lastMs,
      counts: Object.fromEntries(
        [...this.counts]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([kind, { events }]) => [kind, events]),
      ),
    }
  }

  private async assemble(line: string, files: readonly string[]): Promise<void> {
    const temporary = temporaryName(this.path)
    const head = Buffer.from(line)
    try {
      const packed = this.body.packed ? zstdCompressSync(head) : head
      await pipeline(joined(packed, files), createWriteStream(temporary, { flags: 'wx' }))
      await rename(temporary, this.path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw new UserError(`${this.path}: cannot be written: ${(error as Error).message}`)
    }
  }
}

/** A head followed by the contents of some files. */
async function* joined(head: Uint8Array, files: readonly string[]) {
  yield head
  for (const file of files) yield* createReadStream(file, { highWaterMark: 1024 * 1024 })
}

/** A coin that events name. */
interface WrittenCoin {
  numbers: CoinNumbers
  /** True where its instrument is given only at the end. */
  isOpen: boolean
  /** True once it has an event. */
  isUsed: boolean
}

/** The coins of a tape being written, some without an instrument so far. */
class WrittenCoins {
  private readonly coins = new Map<string, WrittenCoin>()

  constructor(private readonly known: ReadonlyMap<string, Instrument>) {}

  /** The state of a coin. */
  of(name: string): WrittenCoin {
    let coin = this.coins.get(name)
    if (coin === undefined) {
      const instrument = this.known.get(name) ?? null
      const isOpen = instrument === null && name !== ''
      coin = { numbers: new CoinNumbers(instrument), isOpen, isUsed: false }
      this.coins.set(name, coin)
    }
    return coin
  }

  /** Checks them against the final instruments; a misfit is a `UserError`. */
  check(path: string, named: ReadonlyMap<string, Instrument>): void {
    for (const [coin, { numbers, isOpen, isUsed }] of this.coins) {
      if (!isOpen || !isUsed) continue
      const instrument = named.get(coin)
      if (!instrument) throw new UserError(`${path}: no instrument is given for ${coin}`)
      const flaw = numbers.misfit(instrument)
      if (flaw) throw new UserError(`${path}: ${coin} ${flaw}`)
    }
  }
}
