/** A button that has to be pressed twice: what it does cannot be taken back. */
import { useState } from 'preact/hooks'
import { wording } from '../shell/words.ts'

const say = wording({ sure: ['Sure?', '确定？'] })

export interface SureButtonProps {
  text: string
  /** What it does, where the text does not say it. */
  label?: string
  onSure(): void
}

export function SureButton({ text, label, onSure }: SureButtonProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      class="danger"
      aria-label={isAsked ? undefined : label}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (isAsked) onSure()
        setAsked(!isAsked)
      }}
    >
      {isAsked ? say('sure') : text}
    </button>
  )
}
