import type { TapeMs } from '../../clock/instant.ts'
import { startBackgroundTimer } from '../../clock/system-clock.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import type { LineOrder } from '../../market/growth/line-file.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import type { World } from '../../market/world/world.ts'
import { UserError } from '../../platform/user-error.ts'
import type { LineStatus } from '../loaded-world.ts'

/** The interface of lines to the process. */
export interface LineHost {
  store: LineStore
  slots: GrowthSlots
  start: StartGrowth
  /** Writes a line about long work and errors. */
  log: (text: string) => void
  /** Registers a line; until the result is called. */
  track(line: { readonly status: LineStatus | null }): () => void
}

/** The store of lines: in files of a folder, or in memory. */
export interface LineStore {
  /** Takes exclusive ownership of a line's place until it is released. */
  take(name: LineName): LineFile
  /**
   * Opens a line for reading. It ends where nothing has been grown: it is to be extended in slices,
   * as the first read of a line may be large.
   *
   * @param tapeEndMs end of its tape
   */
  open(file: string, tapeEndMs: TapeMs): World
}

/** The inputs of a line besides the program. */
export interface LineName {
  baseFile: string
  t0Ms: number
  mood: MoodName | null
  events: readonly TimedMarketEvent[]
}

/** An owned file until its release. */
export interface LineFile {
  file: string
  /** @param isKept whether others may find it afterwards; a private one never is */
  release(isKept: boolean): void
}

/** A thread that grows a line. */
export interface GrowthThread {
  /** Grows it up to an instant, if necessary. */
  growTo(untilMs: number): void
  /** Ends it at once: what is not in the file yet is grown again on demand. */
  end(): void
}

/** Listens to the growth. */
export interface GrowthListener {
  /** Everything up to this instant is in the file. */
  grown(toMs: number): void
  /** The growth has ended with an error. */
  failed(error: Error): void
}

/** Starts the growth of a line, at first as far as it was grown before. */
export type StartGrowth = (order: LineOrder, listener: GrowthListener) => GrowthThread

/** Idle time after which a thread is ended. */
const LINGER_MS = 20_000

/** Grows a line's file in a thread that exists on demand. */
export class LineGrower {
  private thread: GrowthThread | null = null
  private file: LineFile | null = null
  private wantedMs = Number.NEGATIVE_INFINITY
  private grownMs = Number.NEGATIVE_INFINITY
  private isAtWork = false
  private awaken = () => {}
  private stopLinger = () => {}

  constructor(
    private readonly name: LineName,
    private readonly host: LineHost,
    private readonly onGrown: (file: string, toMs: number) => void,
    private readonly onFailed: (error: Error) => void,
  ) {}

  /** Grows it up to an instant, in its turn among other lines. */
  grow(untilMs: number): void {
    this.wantedMs = Math.max(this.wantedMs, untilMs)
    if (this.isAtWork) this.thread?.growTo(this.wantedMs)
    else this.work().catch((error) => this.fail(error))
  }

  /** Ends the thread and releases the file. */
  close(isKept: boolean): void {
    this.end()
    this.file?.release(isKept)
    this.file = null
    this.awaken()
  }

  private async work(): Promise<void> {
    this.isAtWork = true
    let release = () => {}
    try {
      release = await this.host.slots.take()
      this.stopLinger()
      this.file ??= this.host.store.take(this.name)
      this.thread ??= this.host.start(
        { ...this.name, file: this.file.file },
        { grown: (toMs) => this.grown(toMs), failed: (error) => this.fail(error) },
      )
      this.thread.growTo(this.wantedMs)
      while (this.thread && this.grownMs < this.wantedMs)
        await new Promise<void>((resume) => {
          this.awaken = resume
        })
    } finally {
      release()
      this.isAtWork = false
    }
    this.stopLinger = startBackgroundTimer(LINGER_MS, () => this.end())
  }

  private grown(toMs: number): void {
    this.grownMs = Math.max(this.grownMs, toMs)
    if (this.file) this.onGrown(this.file.file, toMs)
    this.awaken()
  }

  private fail(error: Error): void {
    this.end()
    this.onFailed(error)
  }

  private end(): void {
    this.stopLinger()
    this.thread?.end()
    this.thread = null
    this.awaken()
  }
}

/** Maximum number of lines that wait for their turn. */
const WAITING_MAX = 64

/** Slots of growing lines: a few at a time, as each takes a thread. */
export class GrowthSlots {
  private taken = 0
  private readonly waiting: (() => void)[] = []

  /** @param count maximum number of growing lines */
  constructor(private readonly count: number) {}

  /** Takes a slot in order of the calls; the result releases it. A UserError when too many wait. */
  async take(): Promise<() => void> {
    if (this.taken < this.count) this.taken++
    else await this.turn()
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const next = this.waiting.shift()
      // A slot that is handed on stays taken, so that no other line gets it.
      if (next) next()
      else this.taken--
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= WAITING_MAX)
      throw new UserError(
        `${this.taken} markets are being grown and ${this.waiting.length} wait for it, and no ` +
          `more than ${WAITING_MAX} may wait: ask again when some of them are there`,
      )
    return new Promise((resume) => this.waiting.push(resume))
  }
}

/** Delay of a retry after a failure for lack of space or permission. */
const RETRY_MS = 10_000

/** The failure of a line: internal errors and damage stay, others are retried. */
export class LineFailure {
  /** null while it can be grown. */
  why: string | null = null
  private logged: string | null = null

  constructor(
    private readonly lineId: string,
    private readonly log: (text: string) => void,
    /** Called when it may be retried. */
    private readonly onOver: () => void,
  ) {}

  /** Logs an error, and returns the one for callers that wait. */
  note(error: Error): UserError {
    const isOurs = !(error instanceof UserError)
    const why = `the market of ${this.lineId} cannot go on: ${error.message.split('\n')[0]}`
    this.why = why
    // A repeated failure is logged once.
    if (why !== this.logged) this.log(isOurs ? `${why}\n${error.stack ?? ''}` : why)
    this.logged = why
    if (!isOurs && !(error instanceof DamagedFileError))
      startBackgroundTimer(RETRY_MS, () => this.forget())
    return new UserError(why)
  }

  /** The growth has recovered. */
  recover(): void {
    this.logged = null
  }

  forget(): void {
    if (this.why === null) return
    this.why = null
    this.onOver()
  }
}

/** A file of the cache does not contain what was written into it. */
export class DamagedFileError extends UserError {}

/**
 * The damage that an error indicates; null for another error. A missing table is damage as well:
 * every file has all of them from its beginning.
 */
export function damageOf(error: unknown): DamagedFileError | null {
  if (error instanceof DamagedFileError) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isDamage =
    /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code) ||
    /malformed|no such table/.test(message)
  return isDamage ? new DamagedFileError(`its file is damaged (${message})`) : null
}
