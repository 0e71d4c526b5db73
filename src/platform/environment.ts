/** The machine's environment: the only file that reads it. */
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { UserError } from './user-error.ts'

/** The project's own folder: a checkout, or the installed package. */
export const PROJECT_FOLDER = join(import.meta.dir, '..', '..')

/** Whether this is the package, or has its folders inside: nothing may be written there. */
export const IS_PACKAGE = basename(dirname(import.meta.dir)) === 'lib'

/** Folder of recordings that are named without a path. */
export const RECORDINGS_FOLDER = join(PROJECT_FOLDER, 'recordings')

/** Folder of scenarios that are named without a path. */
export const SCENARIOS_FOLDER = join(PROJECT_FOLDER, 'scenarios')

/** Folder of the included stories. */
export const STORIES_FOLDER = join(PROJECT_FOLDER, 'scenarios', 'stories')

/**
 * Folder of cast worlds: `TAPEWRIGHT_CACHE`, else `.cache/worlds` in a checkout, and for a package
 * the system's cache folder.
 */
export function cacheFolder(): string {
  if (process.env.TAPEWRIGHT_CACHE) return process.env.TAPEWRIGHT_CACHE
  return IS_PACKAGE ? userCacheFolder() : join(PROJECT_FOLDER, '.cache', 'worlds')
}

/**
 * Folder of packed worlds, to be unpacked: `TAPEWRIGHT_WORLDS`, else that of the package, which has
 * the world of the default tape; null in a checkout.
 */
export function packedWorldsFolder(): string | null {
  if (process.env.TAPEWRIGHT_WORLDS) return process.env.TAPEWRIGHT_WORLDS
  return IS_PACKAGE ? join(PROJECT_FOLDER, 'lib', 'worlds') : null
}

/** Memory available to this process, bytes: that of its container, or else of the machine. */
export const memoryBytes = (): number => process.constrainedMemory()

/** The token of the control plane: `TAPEWRIGHT_CONTROL_TOKEN`; null when it is not set. */
export function controlToken(): string | null {
  return process.env.TAPEWRIGHT_CONTROL_TOKEN || null
}

/** User and password of a Redis server that its address does not name; null when not set. */
export const redisCredentials = () => ({
  username: process.env.TAPEWRIGHT_REDIS_USER || null,
  password: process.env.TAPEWRIGHT_REDIS_PASSWORD || null,
})

/** A variable by its name; null when it is not set. */
export function environmentVariable(name: string): string | null {
  return process.env[name] || null
}

/** Whether a person reads what is written to the terminal. */
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

/** A user with a number only, as in containers, may have none. */
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

/** The PATH without the folder that `bun run` puts before all others, in which `node` is Bun. */
export function machinePath(): string {
  const folders = (environmentVariable('PATH') ?? '').split(delimiter)
  return folders.filter((folder) => !basename(folder).startsWith('bun-node-')).join(delimiter)
}
