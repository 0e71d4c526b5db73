/** What is written for people at a terminal: colours, and how far something is. */
import { existsSync, realpathSync, writeSync } from 'node:fs'
import { styleText } from 'node:util'
import { isAttended } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Casting } from '../../sandbox/loaded-world.ts'

/**
 * A text with a style where the stream is a terminal. `NO_COLOR`, `FORCE_COLOR` and a terminal that
 * knows no colours are respected.
 */
export const styled = (
  text: string,
  style: Parameters<typeof styleText>[0],
  stream: NodeJS.WriteStream,
): string => styleText(style, text, { stream })

/** One line on standard error, as it is: the console would colour it on a terminal. */
export const writeLine = (line: string): void => write(`${line}\n`)

/** Says what is wrong, in one line. */
export const writeError = (message: string): void =>
  writeLine(`${styled('tapewright:', 'red', process.stderr)} ${message}`)

/** Text that is written over again; nothing is written where nobody watches. */
export interface ProgressLine {
  show(text: string): void
  /** Takes it away, before anything else is written. */
  clear(): void
}

/** A line at the end of standard error, when that is a terminal and no CI job reads it. */
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

// Loaded when something is to be shown: a server that starts on a cached world shows nothing.
const loadTty = (): typeof import('node:tty') => require('node:tty')

/** Whoever read it may have gone, which is no reason to end. */
function write(text: string): void {
  try {
    writeSync(2, text)
  } catch {}
}

/** How far a casting is: `casting: 42 %`. */
export const castingText = ({ events, of }: Casting): string =>
  `casting: ${Math.floor((100 * events) / Math.max(1, of))} %`

// Files that a command writes beside those that it reads.

/**
 * Refuses to write over one of the files that are read: what has been recorded cannot be recorded
 * again.
 */
export function checkIsNoSource(sources: readonly string[], written: string): void {
  if (sources.some((source) => realPath(source) === realPath(written)))
    throw new UserError(`${written} is the recording itself: name another file to be written`)
}

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
