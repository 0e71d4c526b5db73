/** Play, pause, step, speed, and the clocks. */
import type { SandboxRecord } from '../../../../clients/control/records.ts'
import { Choice } from '../../parts/choice.tsx'
import { ICONS, Icon } from '../../parts/icon.tsx'
import { Gate, Panel } from '../../parts/panel.tsx'
import { say as sayPart } from '../../parts/part-words.ts'
import { act } from '../../session/action.ts'
import { type VirtualTime, virtualTime } from '../../session/asking.ts'
import { lookAgain, sandboxRecord, showRecord } from '../../session/connection.ts'
import { dateTimeText, timeText } from '../../shell/formats.ts'
import { useShortcut } from '../../shell/menu.ts'
import { say } from './words.ts'

const ENDS = ['continue', 'hold', 'loop'] as const
const END_ABOUT = { continue: 'continueAbout', hold: 'holdAbout', loop: 'loopAbout' } as const

export function PlaybackPanel() {
  const playhead = sandboxRecord.value?.record.playhead
  if (playhead === undefined)
    return (
      <Panel title={say('playback')} class="playback">
        {sayPart('loading')}
      </Panel>
    )
  return (
    <Panel title={say('playback')} class="playback">
      <Clocks />
      <Gate>
        <Controls of={playhead} />
      </Gate>
    </Panel>
  )
}

/** Buttons and keys. */
function Controls({ of: playhead }: { of: SandboxRecord['playhead'] }) {
  const isPaused = playhead.speed === 0
  return (
    <>
      <DriveKeys />
      <div class="transport">
        <button
          type="button"
          aria-label={say('toStart')}
          title={say('toStart')}
          onClick={() => seek(playhead.start)}
        >
          <Icon lines="M15 4L7 10l8 6zM4.5 4v12" />
        </button>
        <button
          type="button"
          class="primary play"
          aria-label={say(isPaused ? 'play' : 'pause')}
          onClick={togglePlay}
        >
          <Icon lines={isPaused ? ICONS.play : ICONS.pause} />
        </button>
        <button type="button" aria-label={say('step')} title={say('step')} onClick={() => step()}>
          <Icon lines={ICONS.step} />
        </button>
        <SpeedSlider speed={playhead.speed} />
      </div>
      <SpeedChoice speed={playhead.speed} />
      <EndChoice end={playhead.end} />
    </>
  )
}

function SpeedChoice({ speed: current }: { speed: Speed }) {
  return (
    <Choice
      label={say('speed')}
      value={String(current)}
      options={SPEEDS.map((speed) => ({
        value: String(speed),
        text: speed === 'max' ? say('max') : `${speed}×`,
      }))}
      onPick={(picked) => setSpeed(picked === 'max' ? 'max' : Number(picked))}
    />
  )
}

function EndChoice({ end }: { end: (typeof ENDS)[number] }) {
  return (
    <div class="end-choice">
      <span class="faint">{say('end')}</span>
      <Choice
        label={say('end')}
        value={end}
        options={ENDS.map((value) => ({ value, text: say(value) }))}
        onPick={setEnd}
      />
      <span class="faint">{say(END_ABOUT[end])}</span>
    </div>
  )
}

/** From a tenth to a thousand times, by powers of ten. */
function SpeedSlider({ speed }: { speed: Speed }) {
  const shown = speed === 'max' ? 1000 : speed === 0 ? 0.1 : speed
  const text = speed === 0 ? say('paused') : speed === 'max' ? say('max') : `${speed}×`
  return (
    <label class="speed-slider">
      <span class="faint">{say('speed')}</span>
      <input
        type="range"
        min="-1"
        max="3"
        step="0.05"
        value={Math.log10(shown)}
        aria-valuetext={text}
        onChange={({ currentTarget }) =>
          setSpeed(Number((10 ** Number(currentTarget.value)).toPrecision(2)))
        }
      />
      <output>{text}</output>
    </label>
  )
}

/** Market time beside the machine's, and the lag. */
function Clocks() {
  const time = virtualTime.value
  const playhead = sandboxRecord.value?.record.playhead
  if (time === null || playhead === undefined) return null
  const lagS = playhead.lagMs / 1000
  return (
    <div class="clocks">
      <dl>
        <div class="market-clock">
          <dt>{say('marketTime')}</dt>
          <dd>{dateTimeText(time.shownMs)}</dd>
        </div>
        <div>
          <dt>{say('sessionTime')}</dt>
          <dd>{timeText(time.sessionMs)}</dd>
        </div>
        <div>
          <dt>{say('machineTime')}</dt>
          <dd>{timeText(time.machineMs)}</dd>
        </div>
        <div>
          <dt>{say('lag')}</dt>
          <dd class={lagS >= 1 ? 'warn' : undefined}>
            {lagS >= 1 ? `${lagS.toFixed(0)} s` : say('noLag')}
          </dd>
        </div>
      </dl>
      <p class={playhead.growing ? 'warn' : 'faint'}>
        {playhead.growing ? say('growing') : distanceText(time)}
      </p>
    </div>
  )
}

function distanceText({ shownMs, machineMs }: VirtualTime): string {
  const distanceMs = shownMs - machineMs
  if (Math.abs(distanceMs) < 2000) return say('together')
  return say(distanceMs > 0 ? 'ahead' : 'behind', { time: spanText(Math.abs(distanceMs)) })
}

/** `2 d 04:10:09`. */
function spanText(ms: number): string {
  const days = Math.floor(ms / 86_400_000)
  return `${days > 0 ? `${days} d ` : ''}${timeText(ms)}`
}

// Shortcuts for the playhead, in Drive and in market views.

/** Active while mounted. */
export function DriveKeys(): null {
  useDriveKeys()
  return null
}

function useDriveKeys(): void {
  useShortcut(' ', () => say('playPause'), togglePlay)
  useShortcut(
    'ArrowRight',
    () => say('step'),
    () => void step(),
  )
  useShortcut(
    't',
    () => say('stepTrade'),
    () => void step('trade'),
  )
  useShortcut(
    'ArrowUp',
    () => say('faster'),
    () => shiftSpeed(1),
  )
  useShortcut(
    'ArrowDown',
    () => say('slower'),
    () => shiftSpeed(-1),
  )
}

/** Changes of the playhead, each with its result shown. */
type Speed = number | 'max'

/** Speed of the next play. */
let lastSpeed: Speed = 1

const SPEEDS: readonly Speed[] = [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 'max']

const speedNow = (): Speed => sandboxRecord.value?.record.playhead.speed ?? 1

function setSpeed(speed: Speed): Promise<unknown> {
  if (speed !== 0) lastSpeed = speed
  return change({ speed })
}

/** Pauses, or plays at the last speed. */
const togglePlay = (): Promise<unknown> => {
  const speed = speedNow()
  if (speed !== 0) lastSpeed = speed
  return setSpeed(speed === 0 ? lastSpeed : 0)
}

/** Selects the next of the usual speeds, in a direction. */
function shiftSpeed(by: 1 | -1): void {
  const now = speedNow()
  const order = (speed: Speed) => (speed === 'max' ? Number.POSITIVE_INFINITY : speed)
  const others = by > 0 ? SPEEDS : SPEEDS.toReversed()
  const next = others.find((one) => (order(one) - order(now)) * by > 0)
  if (next !== undefined) void setSpeed(next)
}

/** Moves the playhead, tape time in ms. */
export const seek = (at: number): Promise<unknown> => change({ at: Math.round(at) })

const setEnd = (end: 'continue' | 'hold' | 'loop'): Promise<unknown> => change({ end })

async function step(kind?: 'trade'): Promise<void> {
  const reached = await act(({ playhead }) => playhead.step(kind === undefined ? {} : { kind }))
  if (reached) showRecord(reached.sandbox)
}

async function change(fields: {
  at?: number
  speed?: Speed
  end?: 'continue' | 'hold' | 'loop'
}): Promise<void> {
  const record = await act((control) => control.playhead.set(fields))
  if (record) showRecord(record)
  else await lookAgain()
}
