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
