/** What changes something: not there for read-only guests. */
import type { ComponentChildren } from 'preact'
import { isGuest } from '../session/guest.ts'

export function Gate({ children }: { children: ComponentChildren }) {
  return isGuest.value ? null : children
}
