/** A button that requires two presses: its action cannot be undone. */
import { useState } from 'preact/hooks'
import { wording } from '../shell/words.ts'

const say = wording({ sure: ['Sure?', '确定？'] })

export interface SureButtonProps {
  text: string
  /** Label, where the text is not enough. */
  label?: string
  onSure(): void
}

export function ConfirmButton({ text, label, onSure }: SureButtonProps) {
  const [isRequested, setRequested] = useState(false)
  return (
    <button
      type="button"
      class="danger"
      aria-label={isRequested ? undefined : label}
      onBlur={() => setRequested(false)}
      onClick={() => {
        if (isRequested) onSure()
        setRequested(!isRequested)
      }}
    >
      {isRequested ? say('sure') : text}
    </button>
  )
}
