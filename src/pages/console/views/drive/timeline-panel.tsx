/** The market over time: drag to seek, with marks of events. */
import { useSignal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { type TokenColors, withAlpha } from '../../parts/chart.ts'
import { Choice } from '../../parts/choice.tsx'
import { Gate, Panel } from '../../parts/panel.tsx'
import { say as sayPart } from '../../parts/part-words.ts'
import { Canvas, type Drawing } from '../../parts/time-chart.tsx'
import { act } from '../../session/action.ts'
import { timeNow, useFetched, virtualTime } from '../../session/asking.ts'
import { era, isGuest, sandboxRecord } from '../../session/connection.ts'
import { dateText, timeText } from '../../shell/formats.ts'
import { seek } from './playback-panel.tsx'
import { scheduledCount } from './scheduled-panel.tsx'
import { type Mark, PAST_MS, type Timeline, TimelineSource } from './timeline-data.ts'
import { say } from './words.ts'

/** Ranges ahead of the tape's end, ms. */
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
  const requested = useFetched(
    async (current) => {
      const record = sandboxRecord.peek()?.record
      return record ? source.load(current, record) : null
    },
    { of: [era.value, scheduledCount.value, sandboxRecord.value === null], everyMs: 2500 },
  )
  const playhead = sandboxRecord.value?.record.playhead
  const tapeMs = virtualTime.value?.tapeMs
  const tools = (
    <>
      <Gate>
        <BookmarkForm onDone={requested.reload} />
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
          timeline={requested.data ?? { prices: [], marks: [] }}
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

/** Draws the timeline: played and upcoming parts, marks, and the playhead. */
interface TimelineView {
  timeline: Timeline
  /** Visible span, tape time. */
  from: number
  to: number
  /** Span of the tape. */
  start: number
  stop: number
  /** Position of the playhead. */
  at: number
  /** Position of a drag; null for none. */
  target: number | null
  /** Shift from tape time to shown time. */
  shiftMs: number
}

const MARK_COLORS = {
  event: 'accent',
  fault: 'warn',
  cascade: 'down',
  gap: 'faint',
  bookmark: 'text',
} as const satisfies Record<Mark['kind'], keyof TokenColors>

function drawTimeline(drawing: Drawing, view: TimelineView): void {
  const { context, width, height, letterPx, colors } = drawing
  const { from, to, start, stop, at, target, timeline } = view
  const floor = height - letterPx * 1.8
  const x = (time: number) => ((time - from) / (to - from)) * width
  context.clearRect(0, 0, width, height)
  // Before the recording is the history; after it the market is generated.
  context.fillStyle = withAlpha(colors.faint, 0.07)
  context.fillRect(x(stop), 0, width - x(stop), floor)
  context.fillRect(0, 0, x(start), floor)
  for (const mark of timeline.marks) drawMark(drawing, mark, x, floor)
  drawMarkTexts(drawing, timeline.marks, x)
  drawPrices(drawing, view, x, floor)
  drawTimes(drawing, view, x, floor)
  line(context, x(at), floor, colors.accent, 2)
  context.beginPath()
  context.arc(x(at), KNOB_RADIUS + 1, KNOB_RADIUS, 0, 2 * Math.PI)
  context.fillStyle = colors.accent
  context.fill()
  if (target !== null) drawTarget(drawing, view, x(target), floor)
}

type Scale = (time: number) => number

function drawMark({ context, colors }: Drawing, mark: Mark, x: Scale, floor: number) {
  const color = colors[MARK_COLORS[mark.kind]]
  const [left, right] = [x(mark.from), x(mark.to)]
  context.fillStyle = withAlpha(color, mark.kind === 'gap' ? 0.3 : 0.16)
  context.fillRect(left, 0, Math.max(2, right - left), floor)
  line(context, left, floor, color, 1)
}

const KNOB_RADIUS = 5

/** Below the knob, where a new event begins. */
const TEXT_TOP = 2 * KNOB_RADIUS + 3
const TEXT_ROWS = 4
const NAMED: readonly Mark['kind'][] = ['event', 'fault', 'bookmark']

/** Names of marks, each in the first row with room; later ones may have none. */
function drawMarkTexts(
  { context, colors, letterPx, width }: Drawing,
  marks: readonly Mark[],
  x: Scale,
): void {
  const ends = new Array<number>(TEXT_ROWS).fill(0)
  context.textAlign = 'left'
  context.textBaseline = 'top'
  const named = marks.filter(({ kind }) => NAMED.includes(kind))
  for (const { kind, from, text } of named.sort((a, b) => a.from - b.from)) {
    const wide = context.measureText(text).width
    const left = Math.min(x(from) + 4, width - wide - 4)
    const row = ends.findIndex((end) => end < left)
    if (row === -1) continue
    ends[row] = left + wide + 6
    context.fillStyle = colors[MARK_COLORS[kind]]
    context.fillText(text, left, TEXT_TOP + row * (letterPx + 2))
  }
}

function drawPrices({ context, colors }: Drawing, view: TimelineView, x: Scale, floor: number) {
  const { timeline, at, from, to } = view
  const seen = timeline.prices.filter((point) => point.at >= from && point.at <= to)
  const prices = seen.map(({ price }) => price)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const y = (price: number) =>
    high === low ? floor / 2 : floor - 6 - ((price - low) / (high - low)) * (floor - 34)
  const behind = seen.filter((point) => point.at <= at)
  const last = behind.at(-1)
  // A price holds until the next trade.
  if (last) behind.push({ at, price: last.price })
  for (const [points, color, alpha] of [
    [seen.filter((point) => point.at > at), colors.faint, 0.05],
    [behind, colors.accent, 0.16],
  ] as const) {
    context.beginPath()
    for (const point of points) context.lineTo(x(point.at), y(point.price))
    context.strokeStyle = color
    context.lineWidth = 1.5
    context.stroke()
    const [first, last] = [points[0], points.at(-1)]
    if (!first || !last) continue
    context.lineTo(x(last.at), floor)
    context.lineTo(x(first.at), floor)
    context.closePath()
    context.fillStyle = withAlpha(color, alpha)
    context.fill()
  }
}

function drawTimes(drawing: Drawing, { from, to, shiftMs }: TimelineView, x: Scale, floor: number) {
  const { context, width, colors, letterPx } = drawing
  const stepMs = stepOf((to - from) / Math.max(2, width / 110))
  context.fillStyle = colors.faint
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  const first = Math.ceil((from + shiftMs) / stepMs) * stepMs
  for (let shown = first; shown < to + shiftMs; shown += stepMs) {
    const left = x(shown - shiftMs)
    if (left < 30 || left > width - 30) continue
    const text = shown % 86_400_000 === 0 ? dateText(shown).slice(5) : timeText(shown)
    context.fillText(stepMs >= 60_000 ? text.slice(0, 5) : text, left, floor + letterPx * 1.6)
  }
  context.fillStyle = colors.line
  context.fillRect(0, floor, width, 1)
}

const STEPS_S = [5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 28_800, 86_400]

const stepOf = (leastMs: number): number =>
  (STEPS_S.find((seconds) => seconds * 1000 >= leastMs) ?? 86_400) * 1000

function drawTarget(drawing: Drawing, view: TimelineView, left: number, floor: number) {
  const { context, width, colors, letterPx } = drawing
  line(context, left, floor, colors.text, 1)
  const text = timeText((view.target ?? 0) + view.shiftMs)
  const wide = context.measureText(text).width + 12
  const start = Math.min(width - wide - 2, Math.max(2, left - wide / 2))
  context.fillStyle = colors.text
  context.fillRect(start, floor - letterPx * 2, wide, letterPx * 1.7)
  context.fillStyle = colors.panel
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, start + wide / 2, floor - letterPx * 1.1)
}

function line(
  context: CanvasRenderingContext2D,
  left: number,
  floor: number,
  color: string,
  width: number,
): void {
  context.fillStyle = color
  context.fillRect(Math.round(left) - width / 2, 0, width, floor)
}
