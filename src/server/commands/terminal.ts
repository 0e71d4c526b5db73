/** Output for people at a terminal: colours and progress. */
import { existsSync, realpathSync, writeSync } from 'node:fs'
import { styleText } from 'node:util'
import { isAttended } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Casting } from '../../sandbox/loaded-world.ts'

/**
 * A styled text where the stream is a terminal. `NO_COLOR`, `FORCE_COLOR` and terminals without
 * colours are respected.
 */
export const styled = (
  text: string,
  style: Parameters<typeof styleText>[0],
  stream: NodeJS.WriteStream,
): string => styleText(style, text, { stream })

/** Writes a line to standard error; the console would colour it on a terminal. */
export const writeLine = (line: string): void => write(`${line}\n`)

/** Writes an error message, in one line. */
export const writeError = (message: string): void =>
  writeLine(`${styled('tapewright:', 'red', process.stderr)} ${message}`)

/** A line that is overwritten; nothing is written where there is no reader. */
export interface ProgressLine {
  show(text: string): void
  /** Removes it before other output. */
  clear(): void
}

/** A progress line on standard error, when that is a terminal outside CI. */
export function progressLine(): ProgressLine {
  let [shown, isWatched] = ['', undefined as boolean | undefined]
  const show = (text: string) => {
    isWatched ??= isAttended() && loadTty().isatty(2)
    if (!isWatched || text === shown) return
    shown = text
    write(`\r\u001b[K${text}`)
  }
  return { show, clear: () => (shown === '' ? undefined : show('')) }
}

// Loaded on demand: a server that starts on a cached world shows no progress.
const loadTty = (): typeof import('node:tty') => require('node:tty')

/** The reader may have gone, which is no reason to end. */
function write(text: string): void {
  try {
    writeSync(2, text)
  } catch {}
}

/** The progress of a casting: `casting: 42 %`. */
export const castingText = ({ events, of }: Casting): string =>
  `casting: ${Math.floor((100 * events) / Math.max(1, of))} %`

// Checks of written files against read ones.

/** Refuses to overwrite an input file: a recording cannot be made again. */
export function checkIsNoSource(sources: readonly string[], written: string): void {
  if (sources.some((source) => realPath(source) === realPath(written)))
    throw new UserError(`${written} is the recording itself: name another file to be written`)
}

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
