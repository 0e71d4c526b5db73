import { UserError } from '../../platform/user-error.ts'

/** A record that cannot be right. */
export interface BadRow {
  /** `file: line 12`. */
  place: string
  /** What is wrong with it. */
  why: string
}

/** So many are told in the end. */
const TOLD_MAX = 20

/** Records that cannot be right: one more than are tolerated ends the import. */
export class BadRows {
  readonly told: BadRow[] = []
  count = 0

  /** `tolerated`: how many are left out without an end. */
  constructor(private readonly tolerated: number) {}

  /** Takes one. Beyond what is tolerated it is a `UserError`. */
  add(place: string, why: string): void {
    this.count++
    if (this.count > this.tolerated)
      throw new UserError(
        this.tolerated === 0
          ? `${place} ${why}`
          : `${place} ${why}; that is one more than the ${this.tolerated} that are tolerated`,
      )
    if (this.told.length < TOLD_MAX) this.told.push({ place, why })
  }
}
