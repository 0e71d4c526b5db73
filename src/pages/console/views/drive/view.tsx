/** Manual control of time and the market. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { Gate, Panel } from '../../parts/panel.tsx'
import { act } from '../../session/action.ts'
import { useFetched } from '../../session/asking.ts'
import { sandboxRecord, showRecord } from '../../session/connection.ts'
import { exactTimeText } from '../../shell/formats.ts'
import { changeQuery, go, route, type View } from '../../shell/route.ts'
import { isPerpetual } from '../market/coin-head.tsx'
import { PlaybackPanel } from './playback-panel.tsx'
import { ScheduledPanel, scheduledCount } from './scheduled-panel.tsx'
import { EVENT_KINDS, type EventKind } from './timeline-data.ts'
import { TimelinePanel } from './timeline-panel.tsx'
import { say } from './words.ts'

export const driveView: View = {
  id: 'drive',
  group: 'control',
  title: () => say('title'),
  about: () => say('about'),
  words: () => say('words'),
  commands: () =>
    EVENT_KINDS.map(({ name, about }) => ({
      title: `${say('events')}: ${say(name)}`,
      words: say(about),
      run: () => go('drive', [], { event: name }),
    })),
  icon: ICONS.drive,
  component: () => (
    <div class="drive">
      <PlaybackPanel />
      <TimelinePanel />
      <EventPanel />
      <ClockPanel />
      <ScheduledPanel />
    </div>
  ),
}

/** The session clock: held or running, manual advance, and fired alarms. */
const STEPS = [
  [1000, 'second'],
  [31_000, 'half'],
  [60_000, 'minute'],
  [86_400_000, 'day'],
] as const

interface Fired {
  fired: readonly { at: number; what: string }[]
  more: number
}

function ClockPanel() {
  const market = useSignal<'moves' | 'stays'>('moves')
  const isBusy = useSignal(false)
  const last = useSignal<Fired | null>(null)
  const state = sandboxRecord.value?.record.clock.state ?? 'running'
  const setState = async (picked: 'running' | 'held') => {
    const record = await act((control) => control.clock.set({ state: picked }))
    if (record) showRecord(record)
  }
  const advance = async (ms: number) => {
    isBusy.value = true
    const moved = await act((control) => control.clock.advance({ ms, market: market.value }))
    isBusy.value = false
    if (!moved) return
    showRecord(moved)
    last.value = { fired: moved.fired, more: moved.more }
  }
  return (
    <Panel
      title={say('clock')}
      class="clock"
      tools={
        <Gate>
          <Choice
            label={say('clock')}
            value={state}
            options={(['running', 'held'] as const).map((value) => ({ value, text: say(value) }))}
            onPick={setState}
          />
        </Gate>
      }
    >
      <Gate isScheduled>
        <div class="advance" aria-busy={isBusy.value}>
          <span class="faint">{isBusy.value ? say('advancing') : say('advanceBy')}</span>
          {STEPS.map(([ms, name]) => (
            <button key={name} type="button" disabled={isBusy.value} onClick={() => advance(ms)}>
              {say(name)}
            </button>
          ))}
          <Choice
            label={say('advance')}
            value={market.value}
            options={(['moves', 'stays'] as const).map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => {
              market.value = picked
            }}
          />
        </div>
        <h3>{say('fired')}</h3>
        <FiredList last={last.value} />
      </Gate>
    </Panel>
  )
}

function FiredList({ last }: { last: Fired | null }) {
  if (last === null) return <p class="faint">{say('nothingFired')}</p>
  if (last.fired.length === 0) return <p class="faint">{say('noneFired')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <ol class="fired" tabIndex={0} aria-label={say('fired')}>
      {last.fired.map(({ at, what }, index) => (
        <li key={`${at} ${index}`}>
          <time>{exactTimeText(at)}</time> {what}
        </li>
      ))}
      {last.more > 0 && <li class="faint">{say('moreFired', { count: last.more })}</li>}
    </ol>
  )
}

/** Market events as buttons, each with its size and duration. */
function EventPanel() {
  return (
    <Panel title={say('events')} class="events">
      <Gate isScheduled>
        <Events />
      </Gate>
    </Panel>
  )
}

function Events() {
  const coin = useSignal('BTC')
  const { event } = route.value.query
  const kind = EVENT_KINDS.find(({ name }) => name === event) ?? (EVENT_KINDS[0] as EventKind)
  return (
    <>
      <fieldset class="event-buttons" aria-label={say('events')}>
        {EVENT_KINDS.map((one) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={one === kind}
            onClick={() => changeQuery({ event: one.name })}
          >
            {say(one.name)}
          </button>
        ))}
      </fieldset>
      <p class="faint">{say(kind.about)}</p>
      <EventForm
        key={kind.name}
        kind={kind}
        coin={coin.value}
        onCoin={(name) => {
          coin.value = name
        }}
      />
    </>
  )
}

interface EventFormProps {
  kind: EventKind
  coin: string
  onCoin(coin: string): void
}

function EventForm({ kind, coin, onCoin }: EventFormProps) {
  const size = useSignal(kind.size?.usual ?? 0)
  const takesS = useSignal(kind.takesS ?? 0)
  const isBusy = useSignal(false)
  useEffect(() => {
    size.value = kind.size?.usual ?? 0
    takesS.value = kind.takesS ?? 0
  }, [kind])
  const trigger = async () => {
    isBusy.value = true
    const fields = kind.fields({ coin, size: size.value, takesS: takesS.value })
    await act((control) => control.market.trigger(fields), say('done', { event: say(kind.name) }))
    isBusy.value = false
    scheduledCount.value++
  }
  return (
    <form
      class="event-form"
      onSubmit={(event) => {
        event.preventDefault()
        void trigger()
      }}
    >
      {kind.name !== 'listing' && <CoinField coin={coin} onCoin={onCoin} />}
      {kind.size && (
        <NumberField
          name={say(kind.size.unit)}
          value={size.value}
          least={kind.size.least}
          most={kind.size.most}
          step={kind.size.step}
          onChange={(value) => {
            size.value = value
          }}
        />
      )}
      {kind.takesS !== null && (
        <NumberField
          name={say('duration')}
          value={takesS.value}
          least={1}
          most={86_400}
          step={1}
          onChange={(value) => {
            takesS.value = value
          }}
        />
      )}
      <button type="submit" class="primary" disabled={isBusy.value}>
        {say('trigger')}
      </button>
    </form>
  )
}

function CoinField({ coin, onCoin }: Pick<EventFormProps, 'coin' | 'onCoin'>) {
  const { data } = useFetched(({ account }) => account.perpdex.tickers(), { everyMs: 10_000 })
  const coins = (data ?? []).map((ticker) => ticker.coin).filter(isPerpetual)
  const all = coins.includes(coin) ? coins : [coin, ...coins]
  return (
    <label>
      <span class="faint">{say('coin')}</span>
      <select value={coin} onChange={({ currentTarget }) => onCoin(currentTarget.value)}>
        {all.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}

interface NumberFieldProps {
  name: string
  value: number
  least: number
  most: number
  step: number
  onChange(value: number): void
}

function NumberField({ name, value, least, most, step, onChange }: NumberFieldProps) {
  return (
    <label>
      <span class="faint">{name}</span>
      <input
        type="number"
        min={least}
        max={most}
        step={step}
        value={value}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  )
}
