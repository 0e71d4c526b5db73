/** The navigation of a narrow page: it comes over the view, and goes with whatever is done next. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** What the palette offers besides the views: a view's commands are there while it is shown. */
export interface Command {
  /** What it does, in the language that is shown. */
  title: string
  /** Further words by which it is found. */
  words?: string
  run(): void
}

export const commands = signal<ReadonlyMap<object, readonly Command[]>>(new Map())

/** Offers commands for as long as the component is shown; told anew when `of` changes. */
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

/** The opened menu has the focus: it covers the button that opened it. */
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
