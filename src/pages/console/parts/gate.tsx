/** What changes something: not there for read-only guests. */
import type { ComponentChildren } from 'preact'
import { isGuest } from '../session/guest.ts'
import { say } from './part-words.ts'

export interface GateProps {
  children: ComponentChildren
  /** Whether guests are told why nothing is there. */
  isTold?: boolean
}

export function Gate({ children, isTold = false }: GateProps) {
  if (!isGuest.value) return children
  return isTold ? <p class="note">{say('notForGuests')}</p> : null
}
