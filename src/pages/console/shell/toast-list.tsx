/** The short messages, above everything. */
import { Icon } from '../parts/icon.tsx'
import { ICONS } from '../parts/icons.ts'
import { say } from '../parts/part-words.ts'
import { endToast, toasts } from './toasts.ts'

export function ToastList() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>{text}</p>
          <button type="button" class="bare" aria-label={say('close')} onClick={() => endToast(id)}>
            <Icon lines={ICONS.close} />
          </button>
        </div>
      ))}
    </div>
  )
}
