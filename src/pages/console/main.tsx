/** Starts the console in its page. */

import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from './parts/dialog.tsx'
import { Finder } from './parts/finder.tsx'
import { Icon } from './parts/icon.tsx'
import { Gate } from './parts/panel.tsx'
import { runVirtualTime } from './session/asking.ts'
import {
  acceptGuestLink,
  connect,
  controlToken,
  followEra,
  giveToken,
  isGuest,
  serverError,
  serverState,
} from './session/connection.ts'
import {
  type Command,
  commands,
  isMenuOpen,
  keyName,
  listenToKeys,
  shortcuts,
  useMenu,
  useShortcut,
} from './shell/menu.ts'
import { applyPreferences } from './shell/preferences.ts'
import type { View, ViewGroup } from './shell/route.ts'
import { go, linkTo, route, sandboxId } from './shell/route.ts'
import { ToastList } from './shell/toast-list.tsx'
import { TopBar } from './shell/top-bar.tsx'
import { say } from './shell/words.ts'
import { VIEWS } from './views.ts'

// Layout around every view: navigation, top bar, notices, and overlays.

/** Links to all views. */
const GROUPS: readonly ViewGroup[] = ['market', 'control', 'debug', 'reference']

function Navigation({ views, isOpen }: { views: readonly View[]; isOpen: boolean }) {
  return (
    <nav class={isOpen ? 'navigation open' : 'navigation'} aria-label={say('views')}>
      <a class="brand" href="/">
        <Icon lines={BRAND} />
        <span>Tapewright</span>
      </a>
      {isGuest.value && <p class="guest-note">{say('guest')}</p>}
      {GROUPS.map((group) => (
        <NavigationGroup
          key={group}
          title={say(group)}
          views={views.filter(
            (view) => view.group === group && !(isGuest.value && view.isChanging),
          )}
        />
      ))}
    </nav>
  )
}

const BRAND = 'M2 10h3l2-5 3 10 3-7 2 2h3'

function NavigationGroup({ title, views }: { title: string; views: readonly View[] }) {
  if (views.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {views.map((view) => (
          <li key={view.id}>
            <a
              href={linkTo(view.id)}
              title={view.about()}
              aria-current={route.value.view === view.id ? 'page' : undefined}
            >
              <Icon lines={view.icon} />
              <span>{view.title()}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Connection problems and their remedies, above the view. */
function Notices() {
  switch (serverState.value) {
    case 'gone':
      return (
        <p class="notice bad" role="alert">
          {say('goneText')}
        </p>
      )
    case 'no-sandbox':
      return (
        <p class="notice bad" role="alert">
          {say('missingText', { sandbox: sandboxId.value })}
        </p>
      )
    case 'failed':
      return (
        <p class="notice bad" role="alert">
          {say('failedText', { error: serverError.value ?? '' })}
        </p>
      )
    case 'locked':
      return <TokenForm />
    default:
      return null
  }
}

function TokenForm() {
  const [typed, setTyped] = useState('')
  return (
    <form
      class="notice"
      onSubmit={(event) => {
        event.preventDefault()
        giveToken(typed)
      }}
    >
      <p role="alert">{controlToken.value === null ? say('lockedText') : say('wrongToken')}</p>
      <label>
        {say('token')}{' '}
        <input
          type="password"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        {say('unlock')}
      </button>
    </form>
  )
}

/** Finds views and commands by typed letters. */
const MOST_SHOWN = 12

function Palette({ views, onClose }: { views: readonly View[]; onClose(): void }) {
  return (
    <Finder
      title={say('palette')}
      hint={say('paletteHint')}
      find={(typed) => foundCommands(views, typed).slice(0, MOST_SHOWN)}
      keyOf={({ title }) => title}
      option={({ title, words }) => (
        <>
          {title} <span class="faint">{words}</span>
        </>
      )}
      onPick={(command) => command.run()}
      onClose={onClose}
    />
  )
}

function foundCommands(views: readonly View[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [
    ...views.map((view) => ({
      title: view.title(),
      words: view.about(),
      finds: view.words?.() ?? '',
      run: () => go(view.id),
    })),
    ...views.flatMap((view): readonly Command[] => view.commands?.() ?? []),
    ...[...commands.value.values()].flat(),
  ]
  const ranked = all.flatMap((command) => {
    const title = command.title.toLowerCase()
    const rankOf = (word: string) => (title.startsWith(word) ? 0 : title.includes(word) ? 1 : 2)
    const text = [title, command.words, command.finds].join(' ').toLowerCase()
    if (!words.every((word) => text.includes(word))) return []
    return [{ command, rank: Math.max(0, ...words.map(rankOf)) }]
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ command }) => command)
}

/** Active shortcuts, and links to help. */
function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={say('help')} onClose={onClose} class="help">
      <h3>{say('keys')}</h3>
      <dl class="keys">
        {shortcuts.value.map(({ key, about }) => (
          <div key={key}>
            <dt>
              <kbd>{keyName(key)}</kbd>
            </dt>
            <dd>{about()}</dd>
          </div>
        ))}
      </dl>
      <h3>{say('links')}</h3>
      <ul class="links">
        {(['home', 'swagger', 'asyncapi', 'referencePage'] as const).map((name) => (
          <li key={name}>
            <a href={PATHS[name]}>{say(name)}</a>
          </li>
        ))}
      </ul>
      <p class="note">
        {say('charts')} <a href="https://www.tradingview.com/">tradingview.com</a>
      </p>
    </Dialog>
  )
}

const PATHS = {
  home: '/',
  swagger: '/swagger',
  asyncapi: '/asyncapi',
  referencePage: '/reference',
} as const

/** Open overlay. */
const opened = signal<'palette' | 'help' | null>(null)

/** @param views the first is the start view */
function App({ views }: { views: readonly View[] }) {
  const view = views.find(({ id }) => id === route.value.view)
  useEffect(() => {
    if (route.value.view === '' && views[0]) go(views[0].id)
    document.title = `${view?.title() ?? say('console')} · Tapewright`
  })
  useMenu()
  useShellKeys(views)
  const close = () => {
    opened.value = null
  }
  return (
    <div class={view?.isFullScreen ? 'shell full-screen' : 'shell'}>
      <button type="button" class="skip" onClick={toContent}>
        {say('skip')}
      </button>
      <Navigation views={views} isOpen={isMenuOpen.value} />
      <TopBar
        onMenu={() => {
          isMenuOpen.value = !isMenuOpen.value
        }}
        onOpen={(what) => {
          opened.value = what
        }}
      />
      <main id="main" tabIndex={-1}>
        <Notices />
        <Shown view={view} />
      </main>
      <ToastList />
      {opened.value === 'palette' && <Palette views={views} onClose={close} />}
      {opened.value === 'help' && <HelpDialog onClose={close} />}
    </div>
  )
}

function Shown({ view }: { view: View | undefined }) {
  if (view === undefined) return <p class="note">{say('noView')}</p>
  const shown = <view.component key={view.id} />
  return view.isChanging ? <Gate isScheduled>{shown}</Gate> : shown
}

/** Not a link, as its address would be a view. */
function toContent(): void {
  document.getElementById('main')?.focus()
}

function useShellKeys(views: readonly View[]): void {
  useShortcut(
    '?',
    () => say('helpKey'),
    () => {
      opened.value = 'help'
    },
  )
  const palette = () => {
    opened.value = 'palette'
  }
  useShortcut('ctrl+k', () => say('paletteKey'), palette)
  useShortcut(
    '/',
    () => say('searchKey'),
    () => {
      const field = document.querySelector<HTMLElement>('main [data-search]')
      if (field) field.focus()
      else palette()
    },
  )
  for (const [at, view] of views.slice(0, 9).entries())
    useShortcut(
      String(at + 1),
      () => view.title(),
      () => go(view.id),
    )
}

/** `/console?demo` starts the demo. */
function openDemo(): void {
  const isRequested = new URLSearchParams(location.search).has('demo')
  if (isRequested && location.hash.replace(/^#\/?/, '') === '') location.hash = '#/demo'
}

acceptGuestLink()
openDemo()
applyPreferences()
listenToKeys()
connect()
followEra()
runVirtualTime()
render(<App views={VIEWS} />, document.body)
