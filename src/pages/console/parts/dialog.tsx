/** A dialog above the page, closed by Escape or by a click outside. */
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

/** Shown while it is mounted. */
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

/** A form of one line: some fields and the button that sends it. */
export function InlineForm({ onSend, children }: { onSend(): void; children: ComponentChildren }) {
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      {children}
    </form>
  )
}

interface TextFieldProps {
  label: string
  /** Placeholder; the label when left out. */
  hint?: string
  value: string
  onType(text: string): void
}

/** A field for a name: 100 characters at most. */
export function TextField({ label, hint = label, value, onType }: TextFieldProps) {
  return (
    <input
      aria-label={label}
      placeholder={hint}
      maxLength={100}
      value={value}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
    />
  )
}
