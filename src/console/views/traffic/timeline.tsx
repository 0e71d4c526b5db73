/** The timeline with its filter, and the entry that is picked beside it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../control-client/records.ts'
import type { Filter } from '../../journal/filter.ts'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ErrorNote } from '../../parts/shown.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { sandboxRecord, session } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import { useShortcut } from '../../shell/keyboard.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import { EntryDetail } from './entry-detail.tsx'
import { EntryRow } from './entry-row.tsx'
import type { JournalFeed } from './journal-feed.ts'
import { TestDialog } from './test-dialog.tsx'
import { say } from './words.ts'

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
    entries={feed.shown.value.filter((entry) => isWithin(entry, stretch) || stretch === WHOLE)}
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

/** A stretch of the timeline, by numbers of entries. */
interface Stretch {
  from: number | null
  to: number | null
}

const WHOLE: Stretch = { from: null, to: null }

const isWithin = ({ seq }: JournalEntry, { from, to }: Stretch): boolean =>
  (from !== null || to !== null) && seq >= (from ?? 0) && seq <= (to ?? Number.POSITIVE_INFINITY)

/** How much later clients are shown an instant than it stands on the tape. */
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
