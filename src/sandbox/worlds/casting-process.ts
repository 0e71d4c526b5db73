import { existsSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { WHOLE_MARKETS } from '../../market/casting/survey/tape-survey.ts'
import { UserError } from '../../platform/user-error.ts'
import { type HistoryName, readHistoryName } from '../../tape/candles/candle-file.ts'
import { fileDigest } from '../../tape/compression.ts'
import type { EventKind, TapeHeader } from '../../tape/tape-event.ts'
import type { Casting } from '../loaded-world.ts'
import type { MemoryNeed } from '../memory.ts'
import type { CastingOrder, CastingReport } from './casting-worker.ts'
import { failureError } from './line-host.ts'

// Disk, memory and time of a casting, estimated before it begins.

/** Bytes of the file for each event of a kind, with its indexes: measured, with a margin. */
const EVENT_BYTES: Partial<Record<EventKind, number>> = { trade: 650, book: 2_000, delta: 280 }
const OTHER_EVENT_BYTES = 160
/** Bytes of thirty days of the past for each instrument, and of traders. */
const INSTRUMENT_BYTES = 7e6
const TRADERS_BYTES = 20e6

/** Approximate size of a tape's world, bytes. */
export function worldBytes({ counts, instruments }: TapeHeader): number {
  const events = Object.entries(counts).map(
    ([kind, count]) => count * (EVENT_BYTES[kind as EventKind] ?? OTHER_EVENT_BYTES),
  )
  const past = TRADERS_BYTES + wholeMarkets({ counts, instruments }) * INSTRUMENT_BYTES
  return events.reduce((sum, bytes) => sum + bytes, past)
}

/** Instruments with a past: all where some are traded, else the first of those with prices. */
const wholeMarkets = ({ counts, instruments }: Pick<TapeHeader, 'counts' | 'instruments'>) =>
  TRADED.some((kind) => counts[kind] !== undefined)
    ? instruments.length
    : Math.min(WHOLE_MARKETS, instruments.length)

const TRADED: readonly EventKind[] = ['trade', 'book', 'delta', 'bbo']

/** Measured seconds for the past of an instrument, a thousand events, and the traders. */
const SECONDS = { instrument: 0.8, events: 0.03, traders: 4 }

/** Approximate duration of a casting as text: `about 20 s`. */
export function castingTime(header: TapeHeader): string {
  const events = Object.values(header.counts).reduce((sum, count) => sum + count, 0)
  const seconds =
    SECONDS.traders + wholeMarkets(header) * SECONDS.instrument + (events / 1000) * SECONDS.events
  if (seconds >= 120) return `about ${Math.round(seconds / 60)} min`
  return `about ${Math.max(5, 5 * Math.round(seconds / 5))} s`
}

/** Peak memory of a casting, with a margin; more for each further market. */
const CASTING_BYTES = { least: 640e6, markets: 11, market: 24e6 }

/** The memory that the casting of a tape requires. */
export function castingNeed(header: TapeHeader): MemoryNeed {
  const { least, markets, market } = CASTING_BYTES
  return {
    work: 'casting a world',
    bytes: least + Math.max(0, wholeMarkets(header) - markets) * market,
    otherwise: 'let TAPEWRIGHT_WORLDS or TAPEWRIGHT_CACHE name a folder with the world in it',
  }
}

/**
 * Throws a UserError where a folder has no space for the world of a tape, part of which may be
 * there already.
 */
export function checkCastingSpace(
  header: TapeHeader,
  file: string,
  freeBytes: number = freeBytesFor(file),
): void {
  const needed = worldBytes(header)
  if (needed <= freeBytes) return
  throw new UserError(
    `the world of ${header.source} takes about ${inMb(needed)} MB, and ${path.dirname(file)} has ` +
      `${inMb(freeBytes)} MB free: make room there, or set TAPEWRIGHT_CACHE to another folder`,
  )
}

function freeBytesFor(file: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(file))
  return bavail * bsize + (existsSync(file) ? statSync(file).size : 0)
}

const inMb = (bytes: number) => Math.ceil(bytes / 1e6).toLocaleString('en-US')

/** Maximum number of waiting castings: each keeps its callers waiting. */
const WAITING_MAX = 16

/** Runs castings in order: a few at a time, as each takes two threads. */
export class CastingQueue {
  private readonly running = new Set<Casting>()
  private readonly waiting: { casting: Casting; start: () => void }[] = []

  /** @param atOnce maximum number of running castings */
  constructor(private readonly atOnce: number) {}

  /** The running castings, then the waiting ones. */
  list(): readonly Casting[] {
    return [...this.running, ...this.waiting.map(({ casting }) => casting)]
  }

  /**
   * Runs work in its turn; `casting` is listed until it ends. A UserError when too many wait
   * already.
   */
  async run<T>(casting: Casting, work: () => Promise<T>): Promise<T> {
    if (this.running.size >= this.atOnce) await this.turnOf(casting)
    this.running.add(casting)
    try {
      return await work()
    } finally {
      this.running.delete(casting)
      this.startNext()
    }
  }

  /** The place is taken at once, so that no other casting gets it. */
  private startNext(): void {
    const next = this.waiting.shift()
    if (!next) return
    this.running.add(next.casting)
    next.start()
  }

  private turnOf(casting: Casting): Promise<void> {
    if (this.waiting.length >= WAITING_MAX)
      throw new UserError(
        `${this.running.size} worlds are being cast and ${this.waiting.length} wait for it, ` +
          `and no more than ${WAITING_MAX} may wait: ask again when some of them are finished`,
      )
    return new Promise((start) => this.waiting.push({ casting, start }))
  }
}

/**
 * Casts a world in a process of its own, into `order.file`; from within a binary, in a thread,
 * which cannot cast apart.
 *
 * A world that cannot be cast or written is a UserError, and so is a process that ends early. A
 * process apart goes on when this one ends, and when it has reported its success.
 */
export function castInProcess(
  order: CastingOrder,
  onProgress: (events: number) => void,
  onNotice: (line: string) => void = () => {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onReport = (report: CastingReport) => {
    if ('events' in report) onProgress(report.events)
    else if ('notice' in report) onNotice(report.notice)
    else if ('completed' in report) resolve()
    else reject(failureError(report))
  }
  const onEnd = (why: string) => reject(endedEarly(why))
  const stop = IS_BINARY
    ? startThread(order, onReport, onEnd)
    : startProcess(order, onReport, onEnd)
  return order.isApart ? promise : promise.finally(stop)
}

type Start = (
  order: CastingOrder,
  onReport: (report: CastingReport) => void,
  onEnd: (why: string) => void,
) => () => void

/** Without a suffix: it is a source beside sources, and built beside built files. */
const ENTRY = path.join(import.meta.dir, 'casting-worker')

/** A binary has its files within itself, where no other process finds them. */
export const IS_BINARY = import.meta.dir.includes('$bunfs') || import.meta.dir.includes('~BUN')

/**
 * Disables the best optimisation, which takes as long as code of some seconds runs; a process
 * accepts the setting at its start only.
 */
const ENGINE = { BUN_JSC_useFTLJIT: 'false' }

const startProcess: Start = (order, onReport, onEnd) => {
  const child = Bun.spawn([process.execPath, ENTRY], {
    env: { ...process.env, ...ENGINE },
    // Output that it shared would not end with this process.
    stdio: ['ignore', 'ignore', 'pipe'],
    ipc: onReport,
    onExit: (_, code, signal) => onEnd(signal === null ? `it ended with ${code}` : `by ${signal}`),
  })
  void child.stderr.pipeTo(new WritableStream({ write: (text) => void process.stderr.write(text) }))
  child.send(order)
  return () => child.kill('SIGKILL')
}

const startThread: Start = (order, onReport, onEnd) => {
  const worker = new Worker(ENTRY)
  worker.onmessage = ({ data }: MessageEvent<CastingReport>) => onReport(data)
  worker.onerror = ({ message }) => onEnd(message)
  worker.addEventListener('close', () => onEnd('it was ended'))
  worker.postMessage(order)
  return () => worker.terminate()
}

const endedEarly = (why: string) =>
  new UserError(`the process that casts the world ended before it was done (${why}): try again`)

// Candle files that a user names for the time before a tape.

/** The files, and a digest of their content. */
export interface HistoryOrder {
  files: readonly HistoryName[]
  /** Empty without files. */
  digest: string
}

/** The order for `FILE`s or `COIN=FILE`s; a UserError for an unreadable one. */
export async function historyOrder(named: readonly string[]): Promise<HistoryOrder> {
  const files = named.map((one) => readHistoryName(one))
  const digests = await Promise.all(
    files.map(async ({ coin, file }) => `${coin ?? ''}=${await fileDigest(file)}`),
  )
  if (digests.length === 0) return { files, digest: '' }
  const hasher = new Bun.CryptoHasher('sha256')
  return { files, digest: hasher.update(digests.sort().join('\n')).digest('hex') }
}

// The header of a tape to be played.

/** Event kinds of recorded traffic, which belong to no market. */
const OF_TRAFFIC = ['exchange', 'frame', 'connection', 'gap']

/**
 * The header of a tape with a market; a UserError for traffic alone, with the way to normalise it,
 * and for times of another unit.
 */
export async function marketHeader(path: string) {
  const header = await tapeHeader(path)
  checkTimes(path, header)
  const kinds = Object.keys(header.counts)
  if (kinds.length === 0 || kinds.some((kind) => !OF_TRAFFIC.includes(kind))) return header
  const { exchange = 0, frame = 0 } = header.counts
  throw new UserError(
    `${path}: is recorded traffic (${exchange} exchanges, ${frame} frames), not a market: ` +
      `"tapewright tape normalise ${path} --out market.tape.ndjson.zst" makes a market of it, ` +
      `and "--replay ${path}" serves it unchanged`,
  )
}

/** A world has a month before its tape, and calendars. */
function checkTimes(path: string, { startMs, endMs }: { startMs: number; endMs: number }): void {
  if (startMs >= EARLIEST_MS && endMs < LATEST_MS) return
  throw new UserError(
    `${path}: goes from ${startMs} to ${endMs}, which is not between the years 2000 and 2100: ` +
      'times of a tape are milliseconds since 1970',
  )
}

const EARLIEST_MS = Date.UTC(2000, 0)
const LATEST_MS = Date.UTC(2100, 0)

/** Reading tapes is loaded on demand: a world that is in the cache needs only its name. */
export async function tapeHeader(path: string) {
  const { openTape } = await import('../../tape/tape-reader.ts')
  return (await openTape(path)).header
}
