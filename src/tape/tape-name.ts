/** Resolves names of tapes: a file, or the name of a recording without its extension. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { unknownText } from '../contract/fields/nearest-name.ts'
import { UserError } from '../platform/user-error.ts'

/** The recording played by default. */
export const DEFAULT_TAPE = 'default'

const TAPE_SUFFIX = /\.tape\.ndjson(\.zst)?$/

/** The file of a tape given as a file or as a recording; a file takes precedence. */
export function findTape(named: string, recordings: string): string {
  if (existsSync(named) && !statSync(named).isDirectory()) return named
  const recording = recordingNamed(named, recordings)
  if (recording !== undefined) return recording
  if (existsSync(named)) throw new UserError(folderText(named))
  throw new UserError(
    looksLikePath(named)
      ? `${named}: there is no such file, and there is no tape of that name`
      : unknownText('tape', named, recordingNames(recordings)),
  )
}

/** The file of a recording; a UserError for everything else, whatever exists on disk. */
export function findRecording(name: string, recordings: string): string {
  const found = recordingNamed(name, recordings)
  if (found !== undefined) return found
  throw new UserError(unknownText('tape', name, recordingNames(recordings)))
}

/** The names of the recordings in a folder. */
export const recordingNames = (recordings: string): string[] =>
  tapesIn(recordings).map((file) => file.replace(TAPE_SUFFIX, ''))

/** A name is looked up in the folder's list, so that none can escape it. */
function recordingNamed(name: string, recordings: string): string | undefined {
  const found = tapesIn(recordings).find(
    (file) => file === name || file.replace(TAPE_SUFFIX, '') === name,
  )
  return found === undefined ? undefined : join(recordings, found)
}

const tapesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => TAPE_SUFFIX.test(file))
    .sort()

function folderText(folder: string): string {
  const [first] = tapesIn(folder)
  const hint =
    first === undefined ? 'give a file' : `give a tape in it, such as ${join(folder, first)}`
  return `${folder}: is a folder, ${hint}`
}

const looksLikePath = (name: string) => /[\\/]|\.(ndjson|zst)$/.test(name)
