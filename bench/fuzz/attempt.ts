/** Runs many scripts through one target and shrinks a failure. */
import fc from 'fast-check'
import type { OpenTarget } from './fuzz-target.ts'

export interface Attempt {
  seed: number
  runs: number
  /** Called with each script before it is tried. */
  onScript?(script: unknown): void
}

/** A script that breaks an invariant, with its reproduction. */
export interface Failure {
  target: string
  seed: number
  /** Path in fast-check: the run of that seed, and its shrinking. */
  path: string
  message: string
  script: unknown
}

/** Tries so many scripts; null when none failed. */
export async function attempt(
  name: string,
  { scripts, check }: OpenTarget,
  { seed, runs, onScript }: Attempt,
): Promise<Failure | null> {
  const property = fc.asyncProperty(scripts, (script) => {
    onScript?.(script)
    // A check's changes to a script would be shrunk along with it.
    return check(structuredClone(script))
  })
  const found = await fc.check(property, { seed, numRuns: runs })
  if (!found.failed || !found.counterexample) return null
  const { errorInstance, counterexamplePath } = found
  return {
    target: name,
    seed,
    path: counterexamplePath ?? '',
    message: messageOf(errorInstance),
    script: found.counterexample[0],
  }
}

/** Tries one script again. */
export async function retry({ check }: OpenTarget, script: unknown): Promise<string | null> {
  try {
    await check(script)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
