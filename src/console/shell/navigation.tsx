/** Links to all views. */
import { Icon } from '../parts/icon.tsx'
import { isGuest } from '../session/guest.ts'
import { linkTo, route } from './route.ts'
import { say } from './shell-words.ts'
import type { View, ViewGroup } from './view.ts'

const GROUPS: readonly ViewGroup[] = ['market', 'control', 'debug', 'reference']

export function Navigation({ views, isOpen }: { views: readonly View[]; isOpen: boolean }) {
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
