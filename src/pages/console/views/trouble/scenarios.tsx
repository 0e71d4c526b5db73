/** The scenarios of the library with their descriptions, and the active ones. */

import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SandboxControl } from '../../../../clients/control/control.ts'
import { hostClock } from '../../../../clock/system-clock.ts'
import { CodeBlock, Gate, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useFetched, virtualTime } from '../../session/asking.ts'
import {
  controlPlane,
  isGuest,
  lookAgain,
  sandboxRecord,
  session,
} from '../../session/connection.ts'
import { useCommands } from '../../shell/menu.ts'
import { language } from '../../shell/preferences.ts'
import { go, route } from '../../shell/route.ts'
import { attempt } from '../../shell/toast-list.tsx'
import scenariosInChinese from './chinese/scenarios.json' with { type: 'json' }
import { say } from './words.ts'

const A_WHILE_MS = 60_000

export function Scenarios() {
  const [typed, setTyped] = useState('')
  const library = useFetched(() => controlPlane().scenarios.library())
  const on = new Set(sandboxRecord.value?.record.scenarios)
  const picked = route.value.path[0]
  const control = session.value?.control
  useScenarioCommands(library.data ?? [], control)
  return (
    <Panel
      title={say('scenarios')}
      class="scenarios"
      isFlush
      tools={
        <>
          <input
            type="search"
            data-search
            aria-label={say('search')}
            placeholder={say('search')}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Gate>
            <button
              type="button"
              disabled={on.size === 0}
              onClick={() => control && takeOff(control)}
            >
              {say('allOff')}
            </button>
          </Gate>
        </>
      }
    >
      <Active library={library.data ?? []} />
      <Shown of={library}>
        {(list) => (
          <ul class="scenario-list">
            {list
              .filter((one) => isFound(one, typed))
              .map((one) => (
                <Scenario
                  key={one.name}
                  of={one}
                  isOn={on.has(one.name)}
                  isOpen={one.name === picked}
                />
              ))}
          </ul>
        )}
      </Shown>
    </Panel>
  )
}

/** Palette commands that activate scenarios. */
function useScenarioCommands(list: readonly LibraryScenario[], control?: SandboxControl): void {
  useCommands(
    () =>
      (isGuest.value ? [] : list).map((one) => ({
        title: `${say('putOn')}: ${one.name}`,
        words: libraryTexts(one).title,
        run: () => control && void putOn(control, one.name),
      })),
    [list, control, isGuest.value, language.value],
  )
}

interface LibraryScenario extends ScenarioTexts {
  source: unknown
}

/** Also by its English texts, which documents and logs use. */
function isFound(of: LibraryScenario, typed: string): boolean {
  const { title, guidance } = libraryTexts(of)
  const text = `${of.name} ${of.title} ${of.guidance} ${title} ${guidance}`
  return text.toLowerCase().includes(typed.toLowerCase())
}

/** Active scenarios, with their running times. */
function Active({ library }: { library: readonly LibraryScenario[] }) {
  const active = useFetched(({ control }) => control.scenario.get(), { everyMs: 2000 })
  const nowMs = virtualTime.value?.sessionMs ?? 0
  const list = active.data?.scenarios ?? []
  if (list.length === 0) return <p class="note">{say('noneOn')}</p>
  return (
    <ul class="active-scenarios">
      {list.map((one) => (
        <li key={one.name}>
          <span class="badge warn">{say('on')}</span> <strong>{one.name}</strong>{' '}
          {activeTitle(one, library)}{' '}
          <span class="faint">
            {say('since', { s: Math.max(0, Math.round((nowMs - one.since) / 1000)) })}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Scenario({ of, isOn, isOpen }: { of: LibraryScenario; isOn: boolean; isOpen: boolean }) {
  const { name, source } = of
  const { title, guidance } = libraryTexts(of)
  const control = session.value?.control
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const endMs = control && endings.value.get(endingKey(control.id, name))
  // Read for its updates, which advance the count.
  void virtualTime.value
  const leftS = endMs === undefined ? 0 : Math.ceil((endMs - hostClock.monotonicMs()) / 1000)
  return (
    <li ref={place} class={isOn ? 'scenario is-on' : 'scenario'}>
      <div class="scenario-head">
        <button
          type="button"
          class="scenario-name"
          aria-expanded={isOpen}
          onClick={() => go('trouble', isOpen ? [] : [name])}
        >
          <strong>{name}</strong>
          <span>{title}</span>
        </button>
        {isOn && leftS > 0 && <span class="faint">{say('endsIn', { s: leftS })}</span>}
        {control && <Switches control={control} name={name} isOn={isOn} />}
      </div>
      {isOpen && (
        <div class="scenario-text">
          <p>{guidance}</p>
          <CodeBlock text={JSON.stringify(source, null, 2)} of={say('text')} />
        </div>
      )}
    </li>
  )
}

interface SwitchesProps {
  control: SandboxControl
  name: string
  isOn: boolean
}

function Switches({ control, name, isOn }: SwitchesProps) {
  if (isOn)
    return (
      <Gate>
        <button type="button" onClick={() => takeOff(control, name)}>
          {say('takeOff')}
        </button>
      </Gate>
    )
  return (
    <Gate>
      <button type="button" class="minor" onClick={() => putOn(control, name, A_WHILE_MS)}>
        {say('forMinute')}
      </button>
      <button type="button" onClick={() => putOn(control, name)}>
        {say('putOn')}
      </button>
    </Gate>
  )
}

/** Texts of scenarios, in the present language. */
interface ScenarioTexts {
  name: string
  title: string
  guidance?: string | undefined
}

/** Title and guidance of a scenario of the library. */
function libraryTexts(of: ScenarioTexts): Omit<ScenarioTexts, 'name'> {
  const chinese: Readonly<Record<string, Omit<ScenarioTexts, 'name'>>> = scenariosInChinese
  return (language.value === 'zh' ? chinese[of.name] : undefined) ?? of
}

/**
 * The title of an active scenario. A user's scenario named like one of the library keeps its own
 * title.
 */
function activeTitle(of: ScenarioTexts, library: readonly ScenarioTexts[]): string {
  const isOfLibrary = library.some(({ name, title }) => name === of.name && title === of.title)
  return isOfLibrary ? libraryTexts(of).title : of.title
}

// Activation of scenarios, optionally for a limited time.

/** Ends of scenarios activated for a time, by the monotonic clock: sandbox and name to ms. */
const endings = signal<ReadonlyMap<string, number>>(new Map())

/** Key of a sandbox's scenario in `endings`. */
const endingKey = (sandbox: string, name: string): string => `${sandbox} ${name}`

async function putOn(control: SandboxControl, name: string, forMs?: number): Promise<void> {
  const isDone = await attempt(() => control.scenario.add({ name }), say('isOn', { name }))
  await lookAgain()
  if (isDone === null || forMs === undefined) return
  const key = endingKey(control.id, name)
  const endMs = hostClock.monotonicMs() + forMs
  endings.value = new Map(endings.value).set(key, endMs)
  hostClock.startTimer(forMs, () => {
    if (endings.value.get(key) === endMs) void takeOff(control, name)
  })
}

async function takeOff(control: SandboxControl, name?: string): Promise<void> {
  const rest = new Map(endings.value)
  for (const key of rest.keys())
    if (name === undefined || key === endingKey(control.id, name)) rest.delete(key)
  endings.value = rest
  const done = name === undefined ? undefined : say('isOff', { name })
  await attempt(() => control.scenario.clear(name === undefined ? {} : { name }), done)
  await lookAgain()
}
