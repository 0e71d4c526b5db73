/** Which sandbox is looked at, what time it is there, how the server is, and settings. */
import { Icon } from '../parts/icon.tsx'
import { ICONS } from '../parts/icons.ts'
import { sandboxRecord, serverState } from '../session/connection.ts'
import { virtualTime } from '../session/virtual-time.ts'
import { dateTimeText, timeText } from './formats.ts'
import { isMenuOpen } from './menu.ts'
import { language, THEMES, theme } from './preferences.ts'
import { SandboxPicker } from './sandbox-picker.tsx'
import { say } from './shell-words.ts'

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

/** Virtual time beside machine time, and how fast it goes. */
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
        {dateTimeText(time.shownMs)}
      </span>
      <span class="speed">{playhead.speed === 0 ? say('paused') : speed}</span>
      {clock.state === 'held' && <span class="warn">{say('held')}</span>}
      {playhead.growing && <span class="warn">{say('growing')}</span>}
      {lagS > 0 && <span class="warn">{say('behind', { seconds: lagS })}</span>}
      <span title={say('machineTime')} class="machine">
        {timeText(time.machineMs)}
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
