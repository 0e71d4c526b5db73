/** What is wrong with data that was handed in, and where in it. */

/** The names and numbers that lead to a field: `['rules', 0, 'on', 'nth']`. */
export type FieldPath = readonly (string | number)[]

/** A field that is wrong; what reads the data says in which file and line. */
export class FieldFlaw extends Error {
  constructor(
    readonly path: FieldPath,
    message: string,
  ) {
    super(shortened(message, FLAW_LENGTH))
  }
}

/** So many flaws of one thing are looked for and listed. */
export const FLAWS_LISTED = 20

/** Letters of one flaw that are shown: of what was given, it may quote as much as it likes. */
const FLAW_LENGTH = 1_000

/** Letters of all flaws that are listed together. */
const LIST_LENGTH = 5_000

/** `rules.0.on.nth must be …`; `whole` is what all of it is called, such as `the scenario`. */
export const flawText = ({ path, message }: FieldFlaw, whole: string): string =>
  `${path.length === 0 ? whole : pathText(path)} ${message}`

/** A path by its parts; names that were made up are as long as their writer likes. */
const pathText = (path: FieldPath): string =>
  path.map((part) => (typeof part === 'string' ? shortened(part, 100) : part)).join('.')

/** A text that was given, as far as it is shown. */
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`

/** Each of them on a line of its own. */
export const flawsText = (flaws: readonly FieldFlaw[], whole: string): string =>
  flaws.map((one) => flawText(one, whole)).join('\n')

/** Several of them, in the order in which they were found; it can be taken for the first. */
export class FieldFlaws extends FieldFlaw {
  constructor(
    first: FieldFlaw,
    readonly flaws: readonly FieldFlaw[],
  ) {
    super(first.path, first.message)
  }
}

/** The flaws of an error; it is thrown again when it is none. */
export function flawsIn(error: unknown): readonly FieldFlaw[] {
  if (error instanceof FieldFlaws) return error.flaws
  if (error instanceof FieldFlaw) return [error]
  throw error
}

/** Does several checks, and then tells all that is wrong at once. */
export class FlawList {
  private readonly flaws: FieldFlaw[] = []

  /** Whether there are more than are listed: nothing further is worth a look. */
  get isFull(): boolean {
    return this.flaws.length > FLAWS_LISTED
  }

  get isEmpty(): boolean {
    return this.flaws.length === 0
  }

  /** Those that are listed, and one that says so where there are more. */
  get found(): readonly FieldFlaw[] {
    const listed: FieldFlaw[] = []
    let length = 0
    for (const flaw of this.flaws.slice(0, FLAWS_LISTED)) {
      length += flaw.message.length
      if (length > LIST_LENGTH && listed.length > 0) break
      listed.push(flaw)
    }
    if (listed.length === this.flaws.length) return listed
    const more = `has more flaws: the first ${listed.length} are listed`
    return [...listed, new FieldFlaw([], more)]
  }

  add(path: FieldPath, message: string): void {
    this.flaws.push(new FieldFlaw(path, message))
  }

  /** What a check gives, or undefined where it throws flaws. */
  collect<T>(check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      this.flaws.push(...flawsIn(error))
      return undefined
    }
  }

  /** Throws what there is. */
  end(): void {
    const { found } = this
    const [first] = found
    if (first) throw found.length === 1 ? first : new FieldFlaws(first, found)
  }
}
