/** How candles for the time before a tape are named: by a file, or by a coin and its file. */
import { existsSync } from 'node:fs'
import { UserError } from '../../platform/user-error.ts'

/** A file of candles; without a coin, the file says itself whose they are. */
export interface HistoryName {
  coin: string | null
  file: string
}

/**
 * What `FILE` or `COIN=FILE` names: what stands before the first `=` is a coin, unless all of it is
 * the name of a file.
 *
 * @param placed puts a file's name where it lies, as seen from here
 */
export function readHistoryName(
  text: string,
  placed: (file: string) => string = (file) => file,
): HistoryName {
  const end = text.indexOf('=')
  if (end < 1 || existsSync(placed(text))) return { coin: null, file: placed(text) }
  const file = text.slice(end + 1)
  if (file === '') throw new UserError(`--history ${text} names no file: write ${text}FILE`)
  return { coin: text.slice(0, end), file: placed(file) }
}

/** The same as one text again. */
export const historyNameText = ({ coin, file }: HistoryName): string =>
  coin === null ? file : `${coin}=${file}`
