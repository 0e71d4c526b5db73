/** A part of a view with a heading of its own. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

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
