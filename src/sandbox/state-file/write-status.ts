/** Whether a state file can be written: counted, told once, and tried again until it can. */
import { hostClock } from '../../clock/system-clock.ts'
import { StorageError, type StorageObserver, type StorageStatus } from '../storage-status.ts'
import { writeFailureOf } from './write-failure.ts'

/** How long after a failure it is tried again when nobody else does. */
const RETRY_MS = 500

/** How long after a failure was told the same is not told again. */
const TELL_EVERY_MS = 10_000

export class WriteStatus implements StorageStatus {
  commits = 0
  failures = 0
  why: string | null = null
  sinceMs: number | null = null
  private observer: StorageObserver = { systemClock: hostClock, log: () => {} }
  private cancelRetry: (() => void) | null = null
  /** The failure that was told last. */
  private told: { why: string; atMs: number; isOver: boolean } | null = null

  /** @param retry writes what is still to be written, or fails again */
  constructor(
    readonly file: string,
    private readonly retry: () => void,
  ) {}

  get behind(): boolean {
    return this.why !== null
  }

  reportTo(observer: StorageObserver): void {
    this.observer = observer
  }

  monotonicMs(): number {
    return this.observer.systemClock.monotonicMs()
  }

  /** Notes a failure; what is thrown on, which is the error itself when it is a flaw of ours. */
  failed(error: unknown): unknown {
    const failure = writeFailureOf(error)
    if (!failure) return error
    this.failures++
    const { reason, remedy, detail } = failure
    const why = `${reason}: ${remedy}`
    this.sinceMs ??= this.observer.systemClock.nowMs()
    this.why = why
    if (this.isNews(why))
      this.observer.log(
        `the state file ${this.file} cannot be written, so changes are refused and counters are ` +
          `behind; it ${why} (${detail})`,
      )
    this.cancelRetry ??= this.observer.systemClock.startTimer(RETRY_MS, () => {
      this.cancelRetry = null
      if (this.behind) this.retry()
    })
    return new StorageError(`nothing was changed: the state file ${this.file} ${why}`)
  }

  /** Everything is written again. */
  recovered(): void {
    if (!this.behind) return
    this.stop()
    this.why = null
    this.sinceMs = null
    if (this.told?.isOver === false)
      this.observer.log(`the state file ${this.file} is written again, and counters are up to date`)
    if (this.told) this.told.isOver = true
  }

  /** On a disk that is nearly full it may fail and go on many times a second. */
  private isNews(why: string): boolean {
    const nowMs = this.monotonicMs()
    const { told } = this
    const wasTold = told?.why === why && (!told.isOver || nowMs - told.atMs < TELL_EVERY_MS)
    if (!wasTold) this.told = { why, atMs: nowMs, isOver: false }
    return !wasTold
  }

  stop(): void {
    this.cancelRetry?.()
    this.cancelRetry = null
  }
}
