/** A form of one line: some fields and the button that sends it. */
import type { ComponentChildren } from 'preact'

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

export interface TextFieldProps {
  label: string
  /** What stands in it while it is empty; the label when left out. */
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
