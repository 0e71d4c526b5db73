import { RECORDINGS_FOLDER } from '../../../platform/environment.ts'
import { findTape } from '../../../tape/tape-name.ts'

/** The files of tapes that are named as files or as recordings. */
export const tapesOf = (named: readonly string[]): string[] =>
  named.map((one) => findTape(one, RECORDINGS_FOLDER))

/** The file of the one tape that an action takes. */
export const tapeOf = ([named = '']: readonly string[]): string =>
  findTape(named, RECORDINGS_FOLDER)
