import { startBackgroundTimer } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'

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
