/** The machine's environment: the only file that reads it. */
import { join } from 'node:path'

/** The project's own folder. */
export const HOME = join(import.meta.dir, '..', '..')

/** Recordings that can be named without a path. */
export const RECORDINGS = join(HOME, 'recordings')

/** Scenarios that can be named without a path. */
export const SCENARIOS = join(HOME, 'scenarios')

/** Where compiled worlds are kept: `TAPEWRIGHT_CACHE`, or `.cache/worlds` in the project. */
export function cacheFolder(): string {
  return process.env.TAPEWRIGHT_CACHE || join(HOME, '.cache', 'worlds')
}

/** The token of the control plane: `TAPEWRIGHT_CONTROL_TOKEN`; null when it is not set. */
export function controlToken(): string | null {
  return process.env.TAPEWRIGHT_CONTROL_TOKEN || null
}
