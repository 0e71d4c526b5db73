import { startBackgroundTimer } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import type { LineStatus } from '../loaded-world.ts'
import type { GrowthThread, StartGrowth } from './growth-thread.ts'
import type { LineFile, LineName, LineStore } from './line-files.ts'

/** What lines need of the process. */
export interface LineHost {
  store: LineStore
  slots: GrowthSlots
  start: StartGrowth
  /** Writes a line about what takes a while, or goes wrong. */
  log: (text: string) => void
  /** A line is there; until the result is called. */
  track(line: { readonly status: LineStatus | null }): () => void
}

/** A thread that has nothing to do is ended after so long. */
const LINGER_MS = 20_000

/** Has a line's file grown, by a thread that is there while somebody wants it. */
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

  /** Has it grown up to an instant, in its turn among others. */
  grow(untilMs: number): void {
    this.wantedMs = Math.max(this.wantedMs, untilMs)
    if (this.isAtWork) this.thread?.growTo(this.wantedMs)
    else this.work().catch((error) => this.fail(error))
  }

  /** Ends the thread and gives the file back. */
  close(isKept: boolean): void {
    this.end()
    this.file?.release(isKept)
    this.file = null
    this.awaken()
  }

  private async work(): Promise<void> {
    this.isAtWork = true
    const giveBack = await this.host.slots.take()
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
      giveBack()
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

/** Lines that may wait until others have been grown. */
const WAITING_MAX = 64

/** Places for lines that grow: a few at a time, as each takes a thread, and the others wait. */
export class GrowthSlots {
  private taken = 0
  private readonly waiting: (() => void)[] = []

  /** @param count how many grow at a time */
  constructor(private readonly count: number) {}

  /** A place, in order of asking; the result gives it back. A UserError when too many wait. */
  async take(): Promise<() => void> {
    if (this.taken < this.count) this.taken++
    else await this.turn()
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const next = this.waiting.shift()
      // A place that is handed on stays taken: nobody comes between.
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
