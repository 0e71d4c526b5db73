/** What is wrong with data that was handed in, and where in it. */

/** The names and numbers that lead to a field: `['rules', 0, 'on', 'nth']`. */
export type FieldPath = readonly (string | number)[]

/** A field that is wrong; what reads the data says in which file and line. */
export class FieldFlaw extends Error {
  constructor(
    readonly path: FieldPath,
    message: string,
  ) {
    super(message)
  }
}

/** `rules.0.on.nth must be …`; `whole` is what all of it is called, such as `the scenario`. */
export const flawText = ({ path, message }: FieldFlaw, whole: string): string =>
  `${path.length === 0 ? whole : path.join('.')} ${message}`

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

  get isEmpty(): boolean {
    return this.flaws.length === 0
  }

  get found(): readonly FieldFlaw[] {
    return this.flaws
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
    const [first, ...more] = this.flaws
    if (first) throw more.length === 0 ? first : new FieldFlaws(first, this.flaws)
  }
}
