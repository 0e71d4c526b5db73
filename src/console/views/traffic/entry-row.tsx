/** One entry as a line of the timeline. */
import type { JournalEntry, RequestEntry } from '../../../control-client/records.ts'
import { channelOf, nameOf } from '../../journal/entry-names.ts'
import { isBad } from '../../journal/filter.ts'
import { exactTimeText } from '../../shell/formats.ts'
import { say } from './words.ts'

export interface EntryRowProps {
  entry: JournalEntry
  /** How much later clients are shown an instant than it stands on the tape. */
  shiftMs: number
  isMarked: boolean
}

export function EntryRow({ entry, shiftMs, isMarked }: EntryRowProps) {
  return (
    <span class={`entry ${isBad(entry) ? 'bad' : ''} ${isMarked ? 'marked' : ''}`}>
      <span class="entry-time">{exactTimeText(entry.tapeMs + shiftMs)}</span>
      <span class={`entry-kind ${entry.kind}`}>{signOf(entry)}</span>
      <span class="entry-status">{statusOf(entry)}</span>
      <span class="entry-name">{nameOf(entry)}</span>
      <span class="entry-key minor">{entry.key ?? '–'}</span>
      <span class="entry-text mono">{textOf(entry)}</span>
    </span>
  )
}

/** Which way it went. */
function signOf(entry: JournalEntry): string {
  if (entry.kind === 'request') return entry.method
  if (entry.kind === 'frame') return say(entry.direction === 'in' ? 'sentIn' : 'sentOut')
  return say(entry.kind)
}

function statusOf(entry: JournalEntry): string {
  if ('status' in entry && entry.status !== null) return String(entry.status)
  return entry.kind === 'frame' ? `#${entry.connection}` : ''
}

function textOf(entry: JournalEntry): string {
  const rule = entry.rule === null ? '' : ` [${entry.rule}]`
  switch (entry.kind) {
    case 'request':
      return `${refusalOf(entry)}${shortPath(entry.path)}${rule}`
    case 'frame':
      return channelOf(entry.text) === null ? '' : dataOf(entry.text)
    case 'socket':
      return `${entry.refused ?? ''} ${entry.subject ?? ''}${rule}`
    case 'playhead':
      return `${entry.lagMs} ms`
    case 'market':
      return rule
  }
}

const refusalOf = ({ refused, subject }: RequestEntry): string =>
  refused ? `${refused} ${subject ?? ''} · ` : ''

const shortPath = (path: string): string => path.replace('/api/upgrade/v2', '')

/** Of what is pushed the part after its channel. */
const dataOf = (text: string): string =>
  text.slice(0, 300).replace(/^\{"(?:channel|type)":"\w+","data":/, '')
