/** Durable changes: each is stored before it is answered, or undone. */

import { adjustmentsAfter, type ClockTime, type SavedClock } from '../clock/session-clock.ts'
import { isSlices, type Slices } from '../clock/turns.ts'
import type { SandboxRun } from './sandbox-run.ts'
import type { ChangeLog, SharedChanges } from './sandbox-store.ts'
import { StorageError } from './sandbox-store.ts'
import { restoreTenants } from './snapshot/restoration.ts'
import { SINGLE_ID, type SnapshotSource, savedProgressOf } from './snapshot/state-parts.ts'
import type { SavedProgress } from './snapshot/state-schema.ts'

/** A sandbox whose changes are stored while it has a change log. */
interface DurableSandbox extends SnapshotSource {
  readonly changeLog: ChangeLog | null
  readonly shared: SharedChanges | null
}

export class DurableChanges {
  private consequences: (() => void)[] | null = null

  constructor(private readonly sandbox: DurableSandbox) {}

  /**
   * Makes a change of keys, alerts, usage, scenarios, playhead, bookmarks or the journal's settings
   * and stores it. A StorageError when it cannot be stored: then the change is undone.
   *
   * A change that waits for something cannot be undone: it stores its effect first.
   */
  keep<T>(change: () => T): T {
    const { changeLog } = this.sandbox
    if (!changeLog || this.consequences) return change()
    // Earlier counts are stored first, so that undoing affects this change alone.
    changeLog.commit()
    const before = progressOf(this.sandbox)
    const restoreScenarios = this.sandbox.faultInjection.restorePoint()
    this.consequences = []
    try {
      const result = change()
      if (result instanceof Promise || isSlices(result)) return result
      // The change may have dropped or replaced the sandbox, and stored that.
      if (this.sandbox.changeLog === changeLog) {
        if (progressOf(this.sandbox).text !== before.text)
          changeLog.markChanged('progress', SINGLE_ID)
        changeLog.commit()
      }
      return result
    } catch (error) {
      if (error instanceof StorageError) this.undo(changeLog, before.progress, restoreScenarios)
      throw error
    } finally {
      this.release()
    }
  }

  /**
   * Moves the clock after storing its destination; a StorageError when that fails, and then the
   * clock is not moved: frames sent on the way cannot be undone.
   */
  *moveClock<T>(to: Partial<ClockTime>, move: Slices<T>): Slices<T> {
    const { clock } = this.sandbox
    const { shared } = this.sandbox
    clock.destination = movedClock(clock.saved, to)
    try {
      this.commitProgress()
      if (shared) yield* shared.storeEarly()
      const result = yield* move
      if (shared) yield* shared.settleClock()
      return result
    } finally {
      // It may have been ended on the way.
      clock.destination = null
      this.flushProgress()
    }
  }

  /** Stores the sandbox's own progress; a StorageError when that fails. */
  commitProgress(): void {
    this.sandbox.changeLog?.markChanged('progress', SINGLE_ID)
    this.sandbox.changeLog?.commit()
  }

  /** Stores the progress as soon as possible. */
  flushProgress(): void {
    this.sandbox.changeLog?.markChanged('progress', SINGLE_ID)
    this.sandbox.changeLog?.flush()
  }

  /** Stores a run in place of the sandbox's and returns it. It is stopped when that fails. */
  storeRun(run: SandboxRun): SandboxRun {
    const { id, config, world, journal, changeLog } = this.sandbox
    try {
      changeLog?.replace({ ...run, id, config, world, journal })
    } catch (error) {
      run.clock.stop()
      throw error
    }
    return run
  }

  /** From here on listeners wait for `release`, or for `drop` where the changes are undone. */
  hold(): void {
    this.consequences = []
  }

  /** The held changes are stored. */
  release(): void {
    const tasks = this.consequences ?? []
    this.consequences = null
    for (const task of tasks) task()
  }

  /** The held changes are undone. */
  drop(): void {
    this.consequences = null
  }

  /** Notifies listeners once the present change is stored, never if undone; at once without one. */
  notify<A>(listeners: Iterable<(about: A) => void>, about: A): void {
    const task = () => {
      for (const listener of listeners) listener(about)
    }
    if (this.consequences) this.consequences.push(task)
    else task()
  }

  private undo(
    changeLog: ChangeLog,
    { bookmarks, journal, playhead, delivery }: SavedProgress,
    restoreScenarios: () => void,
  ): void {
    const { sandbox } = this
    restoreTenants(sandbox, changeLog.stored())
    sandbox.bookmarks.clear()
    for (const { bookmark, atMs } of bookmarks) sandbox.bookmarks.set(bookmark, atMs)
    sandbox.journal.settings = journal
    sandbox.delivery.mode = delivery ?? 'paced'
    if (JSON.stringify(sandbox.playhead.saved) !== JSON.stringify(playhead)) {
      sandbox.playhead.restore(playhead)
      sandbox.player.reposition()
    }
    restoreScenarios()
    // Restoring marks parts as changed.
    changeLog.discard()
    this.consequences = []
  }
}

function movedClock(
  { state, nowMs, wallMs, adjustments }: SavedClock,
  to: Partial<ClockTime>,
): SavedClock {
  const movedMs = Math.max(0, (to.nowMs ?? 0) - nowMs)
  const toState = to.state ?? state
  return {
    state: toState,
    nowMs: nowMs + movedMs,
    wallMs,
    adjustments: adjustmentsAfter(adjustments, wallMs, movedMs, toState === 'running'),
  }
}

/** The progress, and its text without what moves by itself. */
function progressOf(sandbox: SnapshotSource): { progress: SavedProgress; text: string } {
  const progress = savedProgressOf(sandbox)
  const { playhead } = progress
  const travelledMs = playhead.speed === 'max' ? 0 : playhead.travelledMs
  const still = { ...progress, clock: null, playhead: { ...playhead, travelledMs } }
  return { progress, text: JSON.stringify(still) }
}
