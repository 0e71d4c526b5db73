import { startBackgroundTimer } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'

/** What failed for want of space, or where it may not write, is tried again after so long. */
const RETRY_MS = 10_000

/** Why a line cannot be grown; a flaw of ours and damage stay, what can be mended is forgotten. */
export class LineFailure {
  /** null while it can. */
  why: string | null = null
  private logged: string | null = null

  constructor(
    private readonly lineId: string,
    private readonly log: (text: string) => void,
    /** It may be tried again. */
    private readonly onOver: () => void,
  ) {}

  /** Logs it, and gives it as it is told to who waits. */
  note(error: Error): UserError {
    const isOurs = !(error instanceof UserError)
    const why = `the market of ${this.lineId} cannot go on: ${error.message.split('\n')[0]}`
    this.why = why
    // It is tried again and again, and said once.
    if (why !== this.logged) this.log(isOurs ? `${why}\n${error.stack ?? ''}` : why)
    this.logged = why
    if (!isOurs && !(error instanceof DamagedFileError))
      startBackgroundTimer(RETRY_MS, () => this.forget())
    return new UserError(why)
  }

  /** It has gone on. */
  recover(): void {
    this.logged = null
  }

  forget(): void {
    if (this.why === null) return
    this.why = null
    this.onOver()
  }
}

/** A file of the cache holds something else than was written into it. */
export class DamagedFileError extends UserError {}

/**
 * The damage that an error tells of; null for another one. A table that is not there is damage as
 * well: every file has all of them from its beginning.
 */
export function damageOf(error: unknown): DamagedFileError | null {
  if (error instanceof DamagedFileError) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isDamage =
    /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code) ||
    /malformed|no such table/.test(message)
  return isDamage ? new DamagedFileError(`its file is damaged (${message})`) : null
}
