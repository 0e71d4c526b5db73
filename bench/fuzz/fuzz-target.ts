import type fc from 'fast-check'

/** An interface of the program that is fuzzed. */
export interface FuzzTarget {
  name: string
  /** Description of its script. */
  about: string
  /** Approximate number of scripts a second, which equalises the targets' time per round. */
  perSecond: number
  open(): Promise<OpenTarget>
}

export interface OpenTarget {
  /** Its input: JSON values, so that a failure can be saved in a file. */
  scripts: fc.Arbitrary<unknown>
  /** Runs one script; throws on a failure, and restores the target. */
  check(script: unknown): Promise<void>
  close(): Promise<void>
}

/** Declares a target; its scripts and its check have one type. */
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

/** An invariant is broken: not an input error. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant'
}

/** Throws unless the condition holds. */
export function invariant(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new BrokenInvariant(message())
}
