/** All of one entry: why, what was asked, what was answered, and how to ask it again. */
import type { JournalEntry } from '../../../control-client/records.ts'
import { nameOf } from '../../journal/entry-names.ts'
import { JsonView } from '../../json/json-view.tsx'
import { Panel } from '../../parts/panel.tsx'
import { dateTimeText, exactTimeText } from '../../shell/formats.ts'
import { Part, Why } from './detail-parts.tsx'
import { EntrySamples } from './entry-samples.tsx'
import { RequestDetail } from './request-detail.tsx'
import { say } from './words.ts'

export interface EntryDetailProps {
  entry: JournalEntry
  /** All that are kept: what a socket's client has said is among them. */
  entries: readonly JournalEntry[]
  shiftMs: number
  onClose(): void
  onFrom(): void
  onTo(): void
}

export function EntryDetail(props: EntryDetailProps) {
  const { entry, entries, onClose, onFrom, onTo } = props
  return (
    <Panel
      title={nameOf(entry)}
      class="entry-detail"
      isFlush
      tools={
        <button type="button" onClick={onClose}>
          {say('close')}
        </button>
      }
    >
      <div class="detail-scroll">
        <Facts {...props} />
        <div class="detail-tools">
          <button type="button" onClick={onFrom}>
            {say('fromHere')}
          </button>
          <button type="button" onClick={onTo}>
            {say('toHere')}
          </button>
        </div>
        {entry.kind === 'request' && <RequestDetail entry={entry} />}
        {entry.kind === 'frame' && (
          <Part title={say('frame')}>
            <JsonView text={entry.text} />
          </Part>
        )}
        {entry.kind === 'socket' && <Why entry={entry} />}
        {entry.kind !== 'playhead' && entry.kind !== 'market' && (
          <EntrySamples entry={entry} entries={entries} />
        )}
      </div>
    </Panel>
  )
}

function Facts({ entry, shiftMs }: EntryDetailProps) {
  const facts: [string, string][] = [
    [say('at'), dateTimeText(entry.tapeMs + shiftMs) + exactTimeText(entry.tapeMs).slice(8)],
    [say('tapeTime'), `${dateTimeText(entry.tapeMs)}${exactTimeText(entry.tapeMs).slice(8)}`],
    [say('key'), entry.key ?? say('nobody')],
  ]
  if (entry.rule !== null) facts.push([say('rule'), entry.rule])
  if ('connection' in entry && entry.connection !== null)
    facts.push(['', say('connection', { number: entry.connection })])
  if (entry.kind === 'request') facts.push(['', say('took', { ms: entry.durationMs })])
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name + value}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
