/** Top bar: selected sandbox, its time, server state, and settings. */

import { useEffect, useState } from 'preact/hooks'
import { ICONS, Icon } from '../parts/icon.tsx'
import { virtualTime } from '../session/asking.ts'
import {
  controlPlane,
  pickedKey,
  sandboxRecord,
  serverState,
  session,
} from '../session/connection.ts'
import { dateTimeText, timeText } from './formats.ts'
import { isMenuOpen, useCommands } from './menu.ts'
import { language, THEMES, theme } from './preferences.ts'
import { pickSandbox, sandboxId } from './route.ts'
import { say } from './words.ts'

export interface TopBarProps {
  onMenu(): void
  onOpen(what: 'palette' | 'help'): void
}

export function TopBar({ onMenu, onOpen }: TopBarProps) {
  return (
    <header class="top-bar">
      <button
        type="button"
        class="bare menu-button"
        aria-label={say('menu')}
        aria-expanded={isMenuOpen.value}
        onClick={onMenu}
      >
        <Icon lines={ICONS.menu} />
      </button>
      <SandboxPicker />
      <ServerPill />
      <TimePill />
      <span class="spring" />
      <button
        type="button"
        class="palette-button"
        aria-label={`${say('palette')} Ctrl K`}
        onClick={() => onOpen('palette')}
      >
        <Icon lines={ICONS.search} />
        <span>{say('palette')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <LanguageButton />
      <ThemeButton />
      <button type="button" class="bare" aria-label={say('help')} onClick={() => onOpen('help')}>
        <Icon lines={ICONS.help} />
      </button>
    </header>
  )
}

function ServerPill() {
  const state = serverState.value
  const text = state === 'no-sandbox' ? say('missing') : say(state)
  return (
    <span class={`pill state-${state}`} role="status" data-state={state}>
      {text}
    </span>
  )
}

/** Virtual time beside machine time, and its speed. */
function TimePill() {
  const time = virtualTime.value
  const looked = sandboxRecord.value
  if (time === null || looked === null) return null
  const { clock, playhead } = looked.record
  const speed = playhead.speed === 'max' ? say('max') : `${playhead.speed}×`
  const lagS = Math.round(playhead.lagMs / 1000)
  return (
    <span class="times">
      <span title={say('virtualTime')} class="virtual">
        <small>{say('market')}</small> {dateTimeText(time.shownMs)}
      </span>
      <span class="speed">{playhead.speed === 0 ? say('paused') : speed}</span>
      {clock.state === 'held' && <span class="warn">{say('held')}</span>}
      {playhead.growing && <span class="warn">{say('growing')}</span>}
      {lagS > 0 && <span class="warn">{say('behind', { seconds: lagS })}</span>}
      <span title={say('machineTime')} class="machine">
        <small>{say('machine')}</small> {timeText(time.machineMs)}
      </span>
    </span>
  )
}

function LanguageButton() {
  const other = language.value === 'en' ? 'zh' : 'en'
  return (
    <button
      type="button"
      class="bare"
      lang={other}
      title={say('otherLanguage')}
      onClick={() => {
        language.value = other
      }}
    >
      {say('otherLanguageShort')}
    </button>
  )
}

function ThemeButton() {
  const now = theme.value
  const names = { system: say('themeSystem'), light: say('themeLight'), dark: say('themeDark') }
  const name = say('theme', { theme: names[now] })
  return (
    <button
      type="button"
      class="bare"
      aria-label={name}
      title={name}
      onClick={() => {
        theme.value = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? 'system'
      }}
    >
      <Icon lines={ICONS[now]} />
    </button>
  )
}

/** Selects the sandbox and the key of requests. */
const MOST_SANDBOXES = 200

function SandboxPicker() {
  const [ids, setIds] = useState<readonly string[]>([])
  const load = async () => {
    try {
      const found = await controlPlane().sandboxes.list({ limit: MOST_SANDBOXES })
      setIds(found.map(({ id }) => id))
    } catch {
      // The notices report a lost server.
    }
  }
  useEffect(() => void load(), [serverState.value])
  useCommands(
    () => ids.map((id) => ({ title: `${say('sandbox')}: ${id}`, run: () => pickSandbox(id) })),
    [ids, language.value],
  )
  const all = ids.includes(sandboxId.value) ? ids : [sandboxId.value, ...ids]
  const current = session.value
  return (
    <span class="pickers">
      <select
        aria-label={say('sandbox')}
        title={say('sandbox')}
        value={sandboxId.value}
        onFocus={load}
        onChange={({ currentTarget }) => {
          pickedKey.value = null
          pickSandbox(currentTarget.value)
        }}
      >
        {all.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      {current && (
        <select
          class="key-picker"
          aria-label={say('key')}
          title={say('key')}
          value={current.key.accessKey}
          onChange={({ currentTarget }) => {
            pickedKey.value = currentTarget.value
          }}
        >
          {current.keys.map(({ accessKey }) => (
            <option key={accessKey} value={accessKey}>
              {accessKey}
            </option>
          ))}
        </select>
      )}
    </span>
  )
}
