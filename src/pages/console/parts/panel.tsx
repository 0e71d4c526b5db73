/** A part of a view with its own heading. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { isGuest } from '../session/connection.ts'
import { attempt } from '../shell/toast-list.tsx'
import { ICONS, Icon } from './icon.tsx'
import { say } from './part-words.ts'

export interface PanelProps {
  title: string
  /** Tools at the right of the heading. */
  tools?: ComponentChildren
  children: ComponentChildren
  /** Further classes. */
  class?: string
  /** Whether its content reaches its edges. */
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

/** Hides controls with changes from read-only guests. */
interface GateProps {
  children: ComponentChildren
  /** Whether guests see a reason. */
  isScheduled?: boolean
}

export function Gate({ children, isScheduled = false }: GateProps) {
  if (!isGuest.value) return children
  return isScheduled ? <p class="note">{say('notForGuests')}</p> : null
}

/** A text for another program, with a copy button. */
export function CodeBlock({ text, of }: { text: string; of: string }) {
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} of={of} />
    </div>
  )
}

// Copies a text to the clipboard.

/** @param of name of the copied text, for screen readers */
export function CopyButton({ text, of }: { text: string; of?: string }) {
  const name = of === undefined ? say('copy') : `${say('copy')}: ${of}`
  const copy = () => attempt(() => navigator.clipboard.writeText(text), say('copied'))
  return (
    <button type="button" class="bare" aria-label={name} title={name} onClick={copy}>
      <Icon lines={ICONS.copy} />
    </button>
  )
}
