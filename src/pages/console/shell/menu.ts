/** The navigation of a narrow page: it comes over the view, and goes with whatever is done next. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

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
