/** Keys that do something. A view's are there while it is shown, and `?` lists them all. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export interface Shortcut {
  /** As the browser names it: `ArrowLeft`, `/`, ` `; with `ctrl+` before it where that is held. */
  key: string
  /** What it does, in the language that is shown. */
  about(): string
  run(): void
}

/** Those that work now; of two for one key the later one does. */
export const shortcuts = signal<readonly Shortcut[]>([])

/** Has a key do something for as long as the component is shown. */
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

/** Listens to keys wherever nothing is being typed. */
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

/** Whether what has the focus needs the key itself: a field all, a button those that press it. */
function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('input, textarea, select, [contenteditable], dialog')) return true
  const isPressed = key === ' ' || key === 'Enter'
  if (isPressed) return target.closest('button, a, summary, [role=tab]') !== null
  return key.startsWith('Arrow') && target.closest('[data-arrows], [role=tablist]') !== null
}

/** A key as people read it. */
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
