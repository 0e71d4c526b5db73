/** A button that has to be pressed twice: what it does cannot be taken back. */
import { useState } from 'preact/hooks'
import { wording } from '../shell/words.ts'

const say = wording({ sure: ['Sure?', '确定？'] })

export function SureButton({ text, onSure }: { text: string; onSure(): void }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      class="danger"
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
