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
    isWatched ??= isTerminal()
    if (!isWatched || text === shown) return
    shown = text
    write(`\r\u001b[K${text}`)
  }
  return { show, clear: () => (shown === '' ? undefined : show('')) }
}

const isTerminal = () => isAttended() && loadTty().isatty(2)

// Loaded on demand: a server that starts on a cached world shows no progress.
const loadTty = (): typeof import('node:tty') => require('node:tty')

/** The reader may have gone, which is no reason to end. */
function write(text: string): void {
  try {
    writeSync(2, text)
  } catch {}
}

/**
 * Shows the progress of a casting for which a server waits: at first where its pages are served
 * already, and off a terminal a line for each quarter.
 */
export function castingProgress(line: ProgressLine, log: (text: string) => void) {
  let [quarters, isAnnounced] = [0, false]
  return (casting: Casting, origin: string | undefined): void => {
    if (origin !== undefined && !isAnnounced) {
      isAnnounced = true
      log(`${origin} has its pages already; requests get 503 until the market is cast`)
    }
    line.show(castingText(casting))
    const done = Math.floor((4 * casting.events) / Math.max(1, casting.of))
    if (done <= quarters || done >= 4) return
    quarters = done
    if (!isTerminal()) log(castingText(casting))
  }
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
