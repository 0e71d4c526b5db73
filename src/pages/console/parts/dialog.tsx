/** A window above the page, closed by Escape or by a click beside it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ICONS, Icon } from './icon.tsx'
import { say } from './part-words.ts'

export interface DialogProps {
  title: string
  onClose(): void
  children: ComponentChildren
  /** Further classes. */
  class?: string
}

/** Shown for as long as it is there. */
export function Dialog({ title, onClose, children, class: classes = '' }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={place}
      class={`dialog ${classes}`}
      aria-label={title}
      onCancel={onClose}
      onClick={({ target }) => target === place.current && onClose()}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="bare" aria-label={say('close')} onClick={onClose}>
            <Icon lines={ICONS.close} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
