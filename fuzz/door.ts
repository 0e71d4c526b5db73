import type fc from 'fast-check'

/** A way into the program that generated input is put through. */
export interface Door {
  name: string
  /** What is done to it, in some words. */
  about: string
  /** How many scripts are tried in a second, roughly: doors of one round take about as long. */
  perSecond: number
  open(): Promise<OpenDoor>
}

export interface OpenDoor {
  /** What is put through it: values that JSON can hold, so that a failure can be kept in a file. */
  scripts: fc.Arbitrary<unknown>
  /** Puts one through; throws what is wrong, and leaves the door as it was. */
  check(script: unknown): Promise<void>
  close(): Promise<void>
}

/** Declares a door; its scripts and its check are of one type. */
export function door<T>(
  declared: Omit<Door, 'open'> & {
    open(): Promise<{
      scripts: fc.Arbitrary<T>
      check(script: T): Promise<void>
      close?(): Promise<void> | void
    }>
  },
): Door {
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
