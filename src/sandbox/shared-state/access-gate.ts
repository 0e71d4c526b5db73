/** Lets many readers in at a time, or one writer: in the order of arrival. */
import type { Slices } from '../../clock/turns.ts'
import { deferred } from '../../platform/deferred.ts'

export class AccessGate {
  private readers = 0
  private isLocked = false
  private readonly waiting: { isWriter: boolean; admit: () => void }[] = []

  /** Goes in as a reader if it need not wait; whether it is in. */
  tryEnter(): boolean {
    if (this.isClosed) return false
    this.readers++
    return true
  }

  /** Whether a reader would wait. */
  get isClosed(): boolean {
    return this.isLocked || this.waiting.length > 0
  }

  leave(): void {
    this.readers--
    this.admitWaiting()
  }

  /** Waits until a reader may go in; `leave` afterwards. */
  *enter(): Slices<void> {
    if (!this.tryEnter()) yield this.wait(false)
  }

  /** Waits until no one else is in; `unlock` afterwards. */
  *lock(): Slices<void> {
    if (!this.isLocked && this.readers === 0) {
      this.isLocked = true
      return
    }
    yield this.wait(true)
  }

  unlock(): void {
    this.isLocked = false
    this.admitWaiting()
  }

  private wait(isWriter: boolean): Promise<void> {
    const { promise, resolve } = deferred<void>()
    this.waiting.push({ isWriter, admit: () => resolve() })
    return promise
  }

  private admitWaiting(): void {
    for (let next = this.waiting[0]; next && !this.isLocked; next = this.waiting[0]) {
      if (next.isWriter && this.readers > 0) return
      this.waiting.shift()
      if (next.isWriter) this.isLocked = true
      else this.readers++
      next.admit()
    }
  }
}
