/** `tapewright logs`: the journal of a running server. */

import type { JournalEntry, JournalGap } from '../../clients/control/control.ts'
import type { FlagValues, Run } from './command.ts'
import type { LOGS } from './logs/declaration.ts'
import { answered, sandboxOf } from './running-server.ts'

/** Prints the newest entries, and with `--follow` those that are written from then on. */
export const logs: Run<typeof LOGS> = async ({ flags }) => {
  const { follow, limit, json } = flags
  const { journal } = sandboxOf(flags)
  const filter = filterOf(flags)
  const print = (entry: JournalEntry | JournalGap) =>
    console.log(json ? JSON.stringify(entry) : entryText(entry))
  const read = await answered(journal.read({ ...filter, limit: Math.max(1, limit) }))
  for (const entry of limit === 0 ? [] : read.entries) print(entry)
  if (!follow) return 0
  const since = read.newest
  for await (const entry of await answered(journal.follow({ ...filter, since }))) print(entry)
  return 0
}

function filterOf({ kind, operation, status, key }: FlagValues<typeof LOGS.flags>) {
  return { kind, operation, status, key }
}

/** An entry as one line; what clients have sent cannot control the terminal. */
function entryText(entry: JournalEntry | JournalGap): string {
  if (entry.kind === 'dropped') return `… ${entry.count} entries were dropped`
  const time = new Date(entry.sessionMs).toISOString().slice(11, 23)
  return `${time}  ${contentText(entry)}`.replace(CONTROL, '\u00b7')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

function contentText(entry: JournalEntry): string {
  const key = entry.key === null ? '' : `  ${entry.key}`
  const rule = entry.rule === null ? '' : `  by ${entry.rule}`
  switch (entry.kind) {
    case 'request': {
      const target = entry.query === '' ? entry.path : `${entry.path}?${entry.query}`
      return `${entry.status} ${entry.method} ${target}${key}${refusalText(entry)}${rule}`
    }
    case 'frame':
      return `#${entry.connection} ${entry.direction === 'in' ? '<' : '>'} ${entry.text}${rule}`
    case 'socket': {
      const { connection, event, path, status } = entry
      const name = connection === null ? 'socket' : `#${connection} socket`
      const code = status === null ? '' : ` with ${status}`
      return `${name} ${event}${code} ${path}${key}${refusalText(entry)}${rule}`
    }
    case 'playhead':
      return `playhead ${entry.event}${entry.lagMs > 0 ? ` by ${Math.round(entry.lagMs)} ms` : ''}`
    case 'market':
      return `market event ${entry.id} ${EVENT_WORDS[entry.event]}: ${entry.subject}${rule}`
  }
}

/** Words for a person; the journal keeps those of its first version. */
const EVENT_WORDS = { asked: 'requested', begun: 'began', ended: 'ended' } as const

const refusalText = ({ refused, subject }: { refused: string | null; subject: string | null }) =>
  refused === null ? '' : `  refused: ${refused}${subject === null ? '' : ` (${subject})`}`
