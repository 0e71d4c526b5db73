/** What is written for people at a terminal: colours, and how far something is. */
import { isatty } from 'node:tty'
import { styleText } from 'node:util'
import { isAttended } from './environment.ts'

/**
 * A text with a style where the stream is a terminal. `NO_COLOR`, `FORCE_COLOR` and a terminal that
 * knows no colours are respected.
 */
export const styled = (
  text: string,
  style: Parameters<typeof styleText>[0],
  stream: NodeJS.WriteStream,
): string => styleText(style, text, { stream })

/** Text that is written over again; nothing is written where nobody watches. */
export interface ProgressLine {
  show(text: string): void
  /** Takes it away, before anything else is written. */
  clear(): void
}

/** A line at the end of standard error, when that is a terminal and no CI job reads it. */
export function progressLine(): ProgressLine {
  if (!isatty(2) || !isAttended()) return { show() {}, clear() {} }
  let shown = ''
  const write = (text: string) => {
    if (text === shown) return
    shown = text
    process.stderr.write(`\r\u001b[K${text}`)
  }
  return { show: write, clear: () => write('') }
}
