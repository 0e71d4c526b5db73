/** Navigation of a narrow page: it overlays the view, and closes on the next action. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Keyboard shortcuts. A view's are active while it is shown, and `?` lists them all. */
interface Shortcut {
  /** Key name of the browser: `ArrowLeft`, `/`, ` `; prefixed by `ctrl+` where that is held. */
  key: string
  /** Action, in the present language. */
  about(): string
  run(): void
}

/** Active shortcuts; the later of two for one key wins. */
export const shortcuts = signal<readonly Shortcut[]>([])

/** Registers a shortcut while the component is shown. */
export function useShortcut(key: string, about: () => string, run: () => void): void {
  const latest = useRef({ about, run })
  latest.current = { about, run }
  useEffect(() => {
    const { current } = latest
    const added = { key, about: () => latest.current.about(), run: () => latest.current.run() }
    if (current) shortcuts.value = [...shortcuts.value, added]
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => one !== added)
    }
  }, [key])
}

/** Handles keys outside of text fields. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey) return
    const held = event.ctrlKey || event.metaKey
    if (!held && takesKeys(event.target, event.key)) return
    const key = `${held ? 'ctrl+' : ''}${event.key}`
    const shortcut = shortcuts.value.findLast((one) => one.key === key)
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.run()
  })
}

/** Whether the focused element needs the key: a field all, a button those that press it. */
function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('input, textarea, select, [contenteditable], dialog')) return true
  const isPressed = key === ' ' || key === 'Enter'
  if (isPressed) return target.closest('button, a, summary, [role=tab]') !== null
  return key.startsWith('Arrow') && target.closest('[data-arrows], [role=tablist]') !== null
}

/** Display name of a key. */
export function keyName(key: string): string {
  const names: Record<string, string> = {
    ' ': 'Space',
    ArrowLeft: '←',
    ArrowRight: '→',
    ArrowUp: '↑',
    ArrowDown: '↓',
    Escape: 'Esc',
  }
  return key
    .split('+')
    .map((part) => (part === 'ctrl' ? 'Ctrl' : (names[part] ?? part)))
    .join(' ')
}

/** A command of the palette besides the views: a view's are active while it is shown. */
export interface Command {
  /** Action, in the present language. */
  title: string
  /** Further search words. */
  words?: string
  /** Search words that are not shown. */
  finds?: string
  run(): void
}

export const commands = signal<ReadonlyMap<object, readonly Command[]>>(new Map())

/** Registers commands while the component is shown; updated when `of` changes. */
export function useCommands(make: () => readonly Command[], of: readonly unknown[] = []): void {
  useEffect(() => {
    const owner = {}
    commands.value = new Map(commands.value).set(owner, make())
    return () => {
      const rest = new Map(commands.value)
      rest.delete(owner)
      commands.value = rest
    }
  }, of)
}

export const isMenuOpen = signal(false)

/** The open menu gets the focus: it covers its button. */
export function useMenu(): void {
  const isOpen = isMenuOpen.value
  useEffect(() => {
    if (!isOpen) return
    document.querySelector<HTMLElement>('.navigation [aria-current]')?.focus()
    const close = () => {
      isMenuOpen.value = false
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      close()
      document.querySelector<HTMLElement>('.menu-button')?.focus()
    }
    document.addEventListener('click', close)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('click', close)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [isOpen])
}
