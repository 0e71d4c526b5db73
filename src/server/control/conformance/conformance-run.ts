/** A run of the conformance suite by the server: begun, watched and stopped by calls. */

import type { SystemClock } from '../../../clock/system-clock.ts'
import type { ConformSettings } from '../../../conformance/conform-settings.ts'
import type { Report } from '../../../conformance/report.ts'
import { type Failure, failureOf } from '../../../conformance/reports/failure.ts'
import type { Result } from '../../../conformance/runner.ts'
import { UserError } from '../../../platform/user-error.ts'

/** The suite, as it is loaded. */
export interface Suite {
  conform(settings: ConformSettings): Promise<Report>
  casesNamed(only: readonly string[], exclude?: readonly string[]): readonly unknown[]
}

/** Failures that are kept. */
const FAILURES_MAX = 500

export class ConformanceRun {
  readonly counts = { passed: 0, failed: 0, skipped: 0 }
  readonly notes: string[] = []
  readonly failures: Result[] = []
  readonly total: number
  readonly startedMs: number
  endedMs: number | null = null
  /** Why it ended before its end, or could not begin; null when it did not. */
  ended: string | null = null
  remainingMs: number | null = null
  /** What was looked at, once it is over. */
  report: Report | null = null
  private readonly interruption = new AbortController()

  /** @param target where it is looked at, for people; a UserError when no case is named so */
  constructor(
    suite: Suite,
    readonly target: string,
    settings: ConformSettings,
    private readonly systemClock: SystemClock,
  ) {
    this.total = suite.casesNamed(settings.only ?? []).length
    this.startedMs = systemClock.nowMs()
    const { signal } = this.interruption
    suite
      .conform({
        ...settings,
        signal,
        onResult: this.note,
        onNote: (note) => this.notes.push(note),
      })
      .then((report) => this.end(report.ended, report))
      .catch((error: unknown) => this.end(textOf(error), null))
  }

  get isRunning(): boolean {
    return this.endedMs === null
  }

  stop(): void {
    this.interruption.abort()
  }

  /** A failure in full; null for a case that has not failed. */
  failure(id: string): Failure | null {
    const result = this.failures.find((one) => one.id === id)
    if (!result) return null
    const { requirements = [], command = 'tapewright conform' } = this.report ?? {}
    return failureOf({ requirements, command } as unknown as Report, result)
  }

  private readonly note = (result: Result, remainingMs: number | null): void => {
    this.counts[result.verdict]++
    this.remainingMs = remainingMs
    if (result.verdict === 'failed' && this.failures.length < FAILURES_MAX)
      this.failures.push(result)
  }

  private end(why: string | null, report: Report | null): void {
    this.ended = why
    // All results are in it, with their evidence: of these the failures are kept already.
    this.report = report && { ...report, results: [] }
    this.remainingMs = null
    this.endedMs = this.systemClock.nowMs()
  }
}

function textOf(error: unknown): string {
  if (error instanceof UserError) return error.message
  return `a fault of ours, please report it: ${error instanceof Error ? error.stack : error}`
}
