/** The short messages, above everything. */

import { signal } from '@preact/signals'
import { hostClock } from '../../../clock/system-clock.ts'
import { ICONS, Icon } from '../parts/icon.tsx'
import { say } from '../parts/part-words.ts'
import { errorText } from './error-text.ts'

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

/** Short messages that go away by themselves. */
interface Toast {
  id: number
  kind: 'done' | 'failed'
  text: string
}

const SHOWN_MS = { done: 4000, failed: 12_000 }
const MOST_TOASTS = 4
let lastId = 0

const toasts = signal<readonly Toast[]>([])

/** Says something for a few seconds. */
export function toast(kind: Toast['kind'], text: string): void {
  const id = ++lastId
  toasts.value = [...toasts.value, { id, kind, text }].slice(-MOST_TOASTS)
  hostClock.startTimer(SHOWN_MS[kind], () => endToast(id))
}

function endToast(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

/** Does something that the user has asked for, and says what came of it; null when it failed. */
export async function attempt<T>(task: () => Promise<T>, done?: string): Promise<T | null> {
  try {
    const result = await task()
    if (done !== undefined) toast('done', done)
    return result
  } catch (error) {
    toast('failed', errorText(error))
    return null
  }
}
