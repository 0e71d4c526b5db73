/** The frame around every view: navigation, head, notices, and what lies above them. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Gate } from '../parts/gate.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { useShortcut } from './keyboard.ts'
import { isMenuOpen, useMenu } from './menu.ts'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { Palette } from './palette.tsx'
import { go, route } from './route.ts'
import { say } from './shell-words.ts'
import { ToastList } from './toast-list.tsx'
import { TopBar } from './top-bar.tsx'
import type { View } from './view.ts'

/** What lies above the page. */
export const opened = signal<'palette' | 'help' | null>(null)

/** @param views the first is where one begins */
export function App({ views }: { views: readonly View[] }) {
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
  return view.isChanging ? <Gate isTold>{shown}</Gate> : shown
}

/** No link: that would be an address of the console's own. */
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
