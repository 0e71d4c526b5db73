import { startBackgroundTimer } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import type { LineStatus } from '../loaded-world.ts'
import type { GrowthThread, StartGrowth } from './growth-thread.ts'
import type { LineFile, LineName, LineStore } from './line-files.ts'

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
    const release = await this.host.slots.take()
    try {
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
