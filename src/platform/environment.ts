/** The machine's environment: the only file that reads it. */
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { UserError } from './user-error.ts'

/** The project's own folder: a checkout, or the package where that is installed. */
export const PROJECT_FOLDER = join(import.meta.dir, '..', '..')

/** Whether this is the package, or has its folders inside: nothing may be written there. */
export const IS_PACKAGE = basename(dirname(import.meta.dir)) === 'lib'

/** Recordings that can be named without a path. */
export const RECORDINGS_FOLDER = join(PROJECT_FOLDER, 'recordings')

/** Scenarios that can be named without a path. */
export const SCENARIOS_FOLDER = join(PROJECT_FOLDER, 'scenarios')

/** The stories that come with the program. */
export const STORIES_FOLDER = join(PROJECT_FOLDER, 'stories')

/**
 * Where cast worlds are kept: `TAPEWRIGHT_CACHE`, else `.cache/worlds` in a checkout, and for a
 * package the folder that the system has for what can be made again.
 */
export function cacheFolder(): string {
  if (process.env.TAPEWRIGHT_CACHE) return process.env.TAPEWRIGHT_CACHE
  return IS_PACKAGE ? userCacheFolder() : join(PROJECT_FOLDER, '.cache', 'worlds')
}

/** Where worlds lie that were packed before, to be unpacked: `TAPEWRIGHT_WORLDS`; null for none. */
export function packedWorldsFolder(): string | null {
  return process.env.TAPEWRIGHT_WORLDS || null
}

/** What this process may use of memory, bytes: what its container has, or else the machine. */
export const memoryBytes = (): number => process.constrainedMemory()

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

function userCacheFolder(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === 'win32')
    return join(LOCALAPPDATA || join(homeFolder(), 'AppData', 'Local'), 'tapewright', 'Cache')
  if (process.platform === 'darwin') return join(homeFolder(), 'Library', 'Caches', 'tapewright')
  return join(XDG_CACHE_HOME || join(homeFolder(), '.cache'), 'tapewright')
}

/** A user who is known by a number only, as in containers, may have none. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    throw new UserError(
      'this user has no home folder to keep worlds in: ' +
        'set TAPEWRIGHT_CACHE to a folder that can be written to',
    )
  }
}
