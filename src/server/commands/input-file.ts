/** Reads text and JSON files that a command line or a settings file names. */

import { readFileSync, statSync } from 'node:fs'
import { FILE_BOUNDS, jsonBoundFlaw } from '../../contract/fields/json-bounds.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { UserError } from '../../platform/user-error.ts'

/** Maximum size of a file, bytes: the report of a run over all cases has some 2 MB. */
const FILE_MAX_BYTES = 64 << 20

/**
 * The JSON object in a file. A UserError where it is no ordinary file, is unreadable, exceeds the
 * bounds of files, or contains something else.
 * @param shown its name in messages: `--baseline: report.json`
 */
export function readJsonFile(file: string, shown: string): Readonly<Record<string, unknown>> {
  const text = readTextFile(file, shown)
  const flaw = jsonBoundFlaw(text, FILE_BOUNDS)
  if (flaw) throw new UserError(`${shown} ${flaw}`)
  const value = parsed(text, shown)
  if (isJsonObject(value)) return value
  throw new UserError(`${shown} must hold a JSON object`)
}

/** The text of an ordinary file of bounded size; otherwise a UserError with the reason. */
export function readTextFile(file: string, shown: string): string {
  try {
    const stats = statSync(file)
    if (!stats.isFile()) throw new UserError('it is no ordinary file')
    if (stats.size > FILE_MAX_BYTES)
      throw new UserError(`it has ${stats.size} bytes, at most ${FILE_MAX_BYTES}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${shown} cannot be read: ${(error as Error).message}`)
  }
}

function parsed(text: string, shown: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${shown} is not JSON: ${(error as Error).message}`)
  }
}
