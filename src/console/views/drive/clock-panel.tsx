/** The session clock: held or running, advanced by hand, and what fired by that. */
import { useSignal } from '@preact/signals'
import { Choice } from '../../parts/choice.tsx'
import { Gate } from '../../parts/gate.tsx'
import { Panel } from '../../parts/panel.tsx'
import { act } from '../../session/action.ts'
import { sandboxRecord, showRecord } from '../../session/connection.ts'
import { exactTimeText } from '../../shell/formats.ts'
import { say } from './words.ts'

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

export function ClockPanel() {
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
      <Gate isTold>
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
