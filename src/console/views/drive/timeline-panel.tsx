/** The market over time: dragged to seek, with marks of what happened. */
import { useSignal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { Canvas } from '../../parts/canvas.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Gate } from '../../parts/gate.tsx'
import { Panel } from '../../parts/panel.tsx'
import { say as sayPart } from '../../parts/part-words.ts'
import { act } from '../../session/action.ts'
import { useAsked } from '../../session/asking.ts'
import { sandboxRecord } from '../../session/connection.ts'
import { era } from '../../session/era.ts'
import { isGuest } from '../../session/guest.ts'
import { timeNow, virtualTime } from '../../session/virtual-time.ts'
import { timeText } from '../../shell/formats.ts'
import { seek } from './playhead-changes.ts'
import { PAST_MS, TimelineSource } from './timeline-data.ts'
import { drawTimeline, MARK_COLORS } from './timeline-drawing.ts'
import { toldCount } from './told-panel.tsx'
import { say } from './words.ts'

/** How far ahead of the tape's end one may look, ms. */
const REACHES = {
  reach10m: 600_000,
  reach1h: 3_600_000,
  reach6h: 21_600_000,
  reach1d: 86_400_000,
} as const
type Reach = keyof typeof REACHES
const MARKS = {
  event: 'markEvent',
  fault: 'markFault',
  cascade: 'markCascade',
  gap: 'markGap',
  bookmark: 'markBookmark',
} as const

export function TimelinePanel() {
  const reach = useSignal<Reach>('reach10m')
  const source = useMemo(() => new TimelineSource(), [])
  const asked = useAsked(
    async (current) => {
      const record = sandboxRecord.peek()?.record
      return record ? source.load(current, record) : null
    },
    { of: [era.value, toldCount.value, sandboxRecord.value === null], everyMs: 2500 },
  )
  const playhead = sandboxRecord.value?.record.playhead
  const tapeMs = virtualTime.value?.tapeMs
  const tools = (
    <>
      <Gate>
        <BookmarkForm onDone={asked.reload} />
      </Gate>
      <Choice
        label={say('reach')}
        value={reach.value}
        options={(Object.keys(REACHES) as Reach[]).map((value) => ({ value, text: say(value) }))}
        onPick={(picked) => {
          reach.value = picked
        }}
      />
    </>
  )
  return (
    <Panel title={say('timeline')} class="timeline" isFlush tools={tools}>
      {playhead === undefined || tapeMs === undefined ? (
        <p class="note">{sayPart('loading')}</p>
      ) : (
        <Seeker
          timeline={asked.data ?? { prices: [], marks: [] }}
          from={playhead.start - PAST_MS}
          start={playhead.start}
          to={Math.max(playhead.stop, tapeMs) + REACHES[reach.value]}
          stop={playhead.stop}
          at={tapeMs}
          shiftMs={playhead.shown - playhead.at}
        />
      )}
      <MarkLegend />
    </Panel>
  )
}

const MarkLegend = () => (
  <ul class="mark-legend">
    {Object.entries(MARKS).map(([kind, name]) => (
      <li key={kind}>
        <span
          class="mark-color"
          style={{ background: `var(--${MARK_COLORS[kind as keyof typeof MARKS]})` }}
        />
        {say(name)}
      </li>
    ))}
  </ul>
)

type SeekerProps = Omit<Parameters<typeof drawTimeline>[1], 'target'>

const KEY_STEPS_MS: Record<string, number> = {
  ArrowLeft: -10_000,
  ArrowRight: 10_000,
  PageDown: -60_000,
  PageUp: 60_000,
}

function Seeker(view: SeekerProps) {
  const target = useSignal<number | null>(null)
  const { from, to, start, at, shiftMs } = view
  const timeAt = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const wanted = from + ((event.clientX - left) / width) * (to - from)
    return Math.min(to, Math.max(start, wanted))
  }
  const end = (event: PointerEvent) => {
    if (target.value === null) return
    const wanted = timeAt(event)
    target.value = null
    void seek(wanted)
  }
  return (
    <div
      class="seeker"
      role="slider"
      tabIndex={0}
      aria-disabled={isGuest.value}
      data-arrows
      aria-label={say('timelineOf')}
      aria-valuemin={start}
      aria-valuemax={to}
      aria-valuenow={Math.round(at)}
      aria-valuetext={timeText(at + shiftMs)}
      onPointerDown={(event) => {
        if (isGuest.value) return
        event.currentTarget.setPointerCapture(event.pointerId)
        target.value = timeAt(event)
      }}
      onPointerMove={(event) => {
        if (target.value !== null) target.value = timeAt(event)
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        target.value = null
      }}
      onKeyDown={(event) => {
        const step = KEY_STEPS_MS[event.key]
        if (step === undefined || isGuest.value) return
        event.preventDefault()
        void seek(Math.max(start, (timeNow()?.tapeMs ?? at) + step))
      }}
    >
      <Canvas
        label={say('timeline')}
        of={[view.timeline, from, to, Math.round(at / 250), target.value, shiftMs]}
        draw={(drawing) => drawTimeline(drawing, { ...view, target: target.value })}
      />
    </div>
  )
}

function BookmarkForm({ onDone }: { onDone(): void }) {
  const [name, setName] = useState('')
  const set = async () => {
    if (name === '') return
    await act((control) => control.bookmarks.set(name), say('bookmarked', { name }))
    setName('')
    onDone()
  }
  return (
    <form
      class="bookmark-form"
      onSubmit={(event) => {
        event.preventDefault()
        void set()
      }}
    >
      <input
        aria-label={say('bookmarkName')}
        placeholder={say('bookmarkName')}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" disabled={name === ''}>
        {say('bookmark')}
      </button>
    </form>
  )
}
