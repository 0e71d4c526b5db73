/** The timeline with its filter, and the selected entry beside it. */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry, RequestEntry } from '../../../../clients/control/records.ts'
import { channelOf, type Filter, isBad, nameOf } from '../../journal/filter.ts'
import { testOfEntries } from '../../journal/test-of-entries.ts'
import { JsonView } from '../../json/json-view.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CodeBlock, Panel } from '../../parts/panel.tsx'
import { ErrorNote } from '../../parts/shown.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { sandboxRecord, session } from '../../session/connection.ts'
import { dateTimeText, exactTimeText, numberText } from '../../shell/formats.ts'
import { useShortcut } from '../../shell/menu.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import { EntrySamples } from './entry-samples.tsx'
import type { JournalFeed } from './journal-feed.ts'
import { Part, RequestDetail, Why } from './request-detail.tsx'
import { refusalText, say } from './words.ts'

const ROW_PX = 26
const KINDS = ['all', 'requests', 'frames', 'refused', 'rules'] as const

export function Timeline({ feed, parts }: { feed: JournalFeed; parts: ComponentChildren }) {
  const { path, query } = route.value
  const filter = { only: KINDS.find((one) => one === query.only) ?? 'all', text: query.text ?? '' }
  useEffect(() => feed.filter(filter), [feed, filter.only, filter.text])
  const wanted = Number(path[0] ?? 0)
  const picked = feed.find(wanted)
  const [stretch, setStretch] = useState<Stretch>(WHOLE)
  const [isTesting, setTesting] = useState(false)
  const shiftMs = shownShiftMs()
  usePauseKey(feed)
  return (
    <div class={picked ? 'traffic with-detail' : 'traffic'}>
      <Panel
        title={say('timeline')}
        isFlush
        tools={<Tools feed={feed} parts={parts} onTest={() => setTesting(true)} />}
      >
        <FilterBar filter={filter} feed={feed} />
        {feed.error.value !== null && <ErrorNote error={feed.error.value} />}
        {!picked && wanted > 0 && feed.count.value > 0 && <p class="note">{say('entryGone')}</p>}
        <Rows feed={feed} picked={picked?.seq ?? null} stretch={stretch} shiftMs={shiftMs} />
      </Panel>
      {picked && (
        <EntryDetail
          key={picked.seq}
          entry={picked}
          entries={feed.entries}
          shiftMs={shiftMs}
          onClose={() => go('traffic', [], query)}
          onFrom={() => setStretch({ ...stretch, from: picked.seq })}
          onTo={() => setStretch({ ...stretch, to: picked.seq })}
        />
      )}
      {isTesting && <StretchTest feed={feed} stretch={stretch} onClose={() => setTesting(false)} />}
    </div>
  )
}

interface StretchTestProps {
  feed: JournalFeed
  stretch: Stretch
  onClose(): void
}

const StretchTest = ({ feed, stretch, onClose }: StretchTestProps) => (
  <TestDialog
    entries={feed.shown.value.filter(
      (entry) => entry.via === null && (isWithin(entry, stretch) || stretch === WHOLE),
    )}
    all={feed.entries}
    onClose={onClose}
  />
)

interface RowsProps {
  feed: JournalFeed
  picked: number | null
  stretch: Stretch
  shiftMs: number
}

function Rows({ feed, picked, stretch, shiftMs }: RowsProps) {
  const rows = feed.shown.value
  if (rows.length === 0) return <p class="note">{emptyText(feed)}</p>
  return (
    <VirtualList
      label={say('timeline')}
      rows={rows}
      rowPx={ROW_PX}
      keyOf={({ seq }) => seq}
      picked={picked}
      onPick={({ seq }) => go('traffic', [String(seq)], route.value.query)}
      followsEnd
    >
      {(entry) => <EntryRow entry={entry} shiftMs={shiftMs} isMarked={isWithin(entry, stretch)} />}
    </VirtualList>
  )
}

function usePauseKey(feed: JournalFeed): void {
  useShortcut(
    'p',
    () => say('pause'),
    () => feed.pause(!feed.isPaused.value),
  )
}

/** A part of the timeline, by numbers of entries. */
interface Stretch {
  from: number | null
  to: number | null
}

const WHOLE: Stretch = { from: null, to: null }

const isWithin = ({ seq }: JournalEntry, { from, to }: Stretch): boolean =>
  (from !== null || to !== null) && seq >= (from ?? 0) && seq <= (to ?? Number.POSITIVE_INFINITY)

/** Shift from tape time to shown time. */
function shownShiftMs(): number {
  const playhead = sandboxRecord.value?.record.playhead
  return playhead ? playhead.shown - playhead.at : 0
}

function emptyText(feed: JournalFeed): string {
  if (feed.count.value > 0) return say('noMatch')
  const sandbox = session.value?.sandbox ?? 'default'
  const url = sandbox === 'default' ? location.origin : `${location.origin}/s/${sandbox}`
  return say('empty', { url })
}

function Tools({
  feed,
  parts,
  onTest,
}: {
  feed: JournalFeed
  parts: ComponentChildren
  onTest(): void
}) {
  const isPaused = feed.isPaused.value
  return (
    <>
      {parts}
      <button type="button" onClick={() => feed.pause(!isPaused)} aria-pressed={isPaused}>
        {isPaused ? say('resume') : say('pause')}
      </button>
      <button type="button" onClick={() => feed.clear()}>
        {say('clear')}
      </button>
      <button type="button" class="primary" onClick={onTest}>
        {say('makeTest')}
      </button>
    </>
  )
}

function FilterBar({ filter, feed }: { filter: Filter; feed: JournalFeed }) {
  const dropped = feed.dropped.value
  return (
    <div class="filter-bar">
      <Choice
        label={say('all')}
        value={filter.only}
        options={KINDS.map((value) => ({ value, text: say(value) }))}
        onPick={(only) => changeQuery({ only: only === 'all' ? null : only })}
      />
      <input
        type="search"
        data-search
        spellcheck={false}
        aria-label={say('filter')}
        placeholder={say('filter')}
        value={filter.text}
        onInput={({ currentTarget }) => changeQuery({ text: currentTarget.value || null })}
      />
      <span class="faint counts">
        {say('count', {
          shown: numberText(feed.shown.value.length),
          all: numberText(feed.count.value),
        })}
        {dropped > 0 && ` · ${say('dropped', { count: numberText(dropped) })}`}
      </span>
    </div>
  )
}

/** One entry as a line of the timeline. */
interface EntryRowProps {
  entry: JournalEntry
  /** Shift from tape time to shown time. */
  shiftMs: number
  isMarked: boolean
}

function EntryRow({ entry, shiftMs, isMarked }: EntryRowProps) {
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

/** Direction of an entry. */
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
      return (
        (entry.refused ? refusalText(entry.refused, entry.subject) : (entry.subject ?? '')) + rule
      )
    case 'playhead':
      return `${entry.lagMs} ms`
    case 'market':
      return rule
  }
}

const refusalOf = ({ refused, subject }: Pick<RequestEntry, 'refused' | 'subject'>): string =>
  refused ? `${refusalText(refused, subject)} · ` : ''

const shortPath = (path: string): string => path.replace('/api/upgrade/v2', '')

/** Text of a push after its channel. */
const dataOf = (text: string): string =>
  text.slice(0, 300).replace(/^\{"(?:channel|type)":"\w+","data":/, '')

/** Details of one entry: reason, request, response, and repetition. */
interface EntryDetailProps {
  entry: JournalEntry
  /** All kept entries, including the client frames of a socket. */
  entries: readonly JournalEntry[]
  shiftMs: number
  onClose(): void
  onFrom(): void
  onTo(): void
}

function EntryDetail(props: EntryDetailProps) {
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
    [say('key'), entry.key ?? say('noKey')],
  ]
  if (entry.via !== null) facts.push(['', say('own')])
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

// A part of the timeline as a test file, to copy or save.

/** Maximum entries of a readable test. */
const ENTRIES_MAX = 200

interface TestDialogProps {
  entries: readonly JournalEntry[]
  /** All entries: sockets of the part may have been opened earlier. */
  all: readonly JournalEntry[]
  onClose(): void
}

function TestDialog({ entries, all, onClose }: TestDialogProps) {
  const [form, setForm] = useState<'bun' | 'playwright'>('bun')
  const taken = entries.slice(-ENTRIES_MAX)
  const [first, last] = [taken[0], taken.at(-1)]
  const record = sandboxRecord.value?.record
  const span = { startMs: record?.playhead.start ?? 0, stopMs: record?.playhead.stop ?? 0 }
  const scenarios = record?.scenarios ?? []
  const earlier = all.filter(({ seq }) => seq < (first?.seq ?? 0))
  const text = testOfEntries(form, taken, { roles: rolesOf(), scenarios, span }, earlier)
  return (
    <Dialog title={say('makeTest')} onClose={onClose} class="wide">
      <p class="faint">{say('testAbout')}</p>
      <div class="detail-tools">
        <Choice
          label={say('makeTest')}
          value={form}
          options={[
            { value: 'bun', text: 'bun test' },
            { value: 'playwright', text: 'Playwright' },
          ]}
          onPick={(picked) => setForm(picked)}
        />
        {first && last && (
          <span class="faint">
            {say('range', {
              count: taken.length,
              from: exactTimeText(first.sessionMs),
              to: exactTimeText(last.sessionMs),
            })}
          </span>
        )}
        {text !== null && <Download text={text} />}
      </div>
      {text === null ? <p class="note">{say('noTest')}</p> : <CodeBlock text={text} of={form} />}
    </Dialog>
  )
}

const Download = ({ text }: { text: string }) => (
  <a
    class="button"
    download="recorded.test.ts"
    href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
  >
    {say('download')}
  </a>
)

/** Roles of the sandbox's keys, as named in a new sandbox. */
function rolesOf(): Record<string, string> {
  const keys = session.value?.keys ?? []
  return Object.fromEntries(
    keys.map(({ accessKey }) => [
      accessKey,
      /partner/.test(accessKey)
        ? 'partner'
        : /bare/.test(accessKey)
          ? 'bare'
          : /sub/.test(accessKey)
            ? 'sub'
            : 'full',
    ]),
  )
}
