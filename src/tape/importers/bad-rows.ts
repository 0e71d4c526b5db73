import { UserError } from '../../platform/user-error.ts'

/** An invalid record. */
export interface BadRow {
  /** `file: line 12`. */
  place: string
  /** Its flaw. */
  why: string
}

/** Maximum number of reported ones. */
const REPORTED_MAX = 20

/** Collects invalid records: one more than are tolerated ends the import. */
export class BadRows {
  readonly reported: BadRow[] = []
  count = 0

  /** `tolerated`: number of records to skip. */
  constructor(private readonly tolerated: number) {}

  /** Adds one. Beyond the tolerated number it is a `UserError`. */
  add(place: string, why: string): void {
    this.count++
    if (this.count > this.tolerated)
      throw new UserError(
        this.tolerated === 0
          ? `${place} ${why}`
          : `${place} ${why}; that is one more than the ${this.tolerated} that are tolerated`,
      )
    if (this.reported.length < REPORTED_MAX) this.reported.push({ place, why })
  }
}

/** Skipped records by reason, with their number. */
export class LeftOut extends Map<string, number> {
  count(what: string, by = 1): void {
    this.set(what, (this.get(what) ?? 0) + by)
  }
}
