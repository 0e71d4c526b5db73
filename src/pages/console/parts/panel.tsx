/** A part of a view with a heading of its own. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { isGuest } from '../session/connection.ts'
import { say } from './part-words.ts'

export interface PanelProps {
  title: string
  /** Beside the heading, at the right. */
  tools?: ComponentChildren
  children: ComponentChildren
  /** Further classes. */
  class?: string
  /** Whether what is in it reaches to its edges. */
  isFlush?: boolean
}

export function Panel({ title, tools, children, class: classes = '', isFlush }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${classes}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {tools && <div class="panel-tools">{tools}</div>}
      </header>
      <div class={isFlush ? 'panel-body flush' : 'panel-body'}>{children}</div>
    </section>
  )
}

/** What changes something: not there for read-only guests. */
interface GateProps {
  children: ComponentChildren
  /** Whether guests are told why nothing is there. */
  isTold?: boolean
}

export function Gate({ children, isTold = false }: GateProps) {
  if (!isGuest.value) return children
  return isTold ? <p class="note">{say('notForGuests')}</p> : null
}
