/** The machine's environment: the only file that reads it. */
import { join } from 'node:path'

/** The project's own folder. */
export const PROJECT_FOLDER = join(import.meta.dir, '..', '..')

/** Recordings that can be named without a path. */
export const RECORDINGS_FOLDER = join(PROJECT_FOLDER, 'recordings')

/** Scenarios that can be named without a path. */
export const SCENARIOS_FOLDER = join(PROJECT_FOLDER, 'scenarios')

/** Where compiled worlds are kept: `TAPEWRIGHT_CACHE`, or `.cache/worlds` in the project. */
export function cacheFolder(): string {
  return process.env.TAPEWRIGHT_CACHE || join(PROJECT_FOLDER, '.cache', 'worlds')
}

/** The token of the control plane: `TAPEWRIGHT_CONTROL_TOKEN`; null when it is not set. */
export function controlToken(): string | null {
  return process.env.TAPEWRIGHT_CONTROL_TOKEN || null
}

/** A variable by its name; null when it is not set. */
export function environmentVariable(name: string): string | null {
  return process.env[name] || null
}

/** Whether what is written to a terminal is read by a person who waits. */
export function isAttended(): boolean {
  const { CI = '', TERM } = process.env
  return TERM !== 'dumb' && ['', '0', 'false'].includes(CI)
}
