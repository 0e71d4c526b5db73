import type fc from 'fast-check'

/** A way into the program that generated input is put through. */
export interface FuzzTarget {
  name: string
  /** What is done to it, in some words. */
  about: string
  /** How many scripts are tried in a second, roughly: targets of one round take about as long. */
  perSecond: number
  open(): Promise<OpenTarget>
}

export interface OpenTarget {
  /** What is put through it: values that JSON can hold, so that a failure can be kept in a file. */
  scripts: fc.Arbitrary<unknown>
  /** Puts one through; throws what is wrong, and leaves the target as it was. */
  check(script: unknown): Promise<void>
  close(): Promise<void>
}

/** Declares a target; its scripts and its check are of one type. */
export function fuzzTarget<T>(
  declared: Omit<FuzzTarget, 'open'> & {
    open(): Promise<{
      scripts: fc.Arbitrary<T>
      check(script: T): Promise<void>
      close?(): Promise<void> | void
    }>
  },
): FuzzTarget {
  return {
    name: declared.name,
    about: declared.about,
    perSecond: declared.perSecond,
    async open() {
      const { scripts, check, close } = await declared.open()
      return {
        scripts,
        check: (script) => check(script as T),
        close: async () => close?.(),
      }
    },
  }
}

/** Something does not hold that must: not an error of what was put in. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant'
}

/** Throws unless it holds. */
export function invariant(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new BrokenInvariant(message())
}
