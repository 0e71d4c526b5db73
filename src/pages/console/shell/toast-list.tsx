/** Toasts, above everything. */

import { signal } from '@preact/signals'
import { hostClock } from '../../../clock/system-clock.ts'
import { ICONS, Icon } from '../parts/icon.tsx'
import { say } from '../parts/part-words.ts'

/** An error's own words. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

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

/** A message that disappears by itself. */
interface Toast {
  id: number
  kind: 'done' | 'failed'
  text: string
}

const SHOWN_MS = { done: 4000, failed: 12_000 }
const MOST_TOASTS = 4
let lastId = 0

const toasts = signal<readonly Toast[]>([])

/** Shows a message for a few seconds. */
export function toast(kind: Toast['kind'], text: string): void {
  const id = ++lastId
  toasts.value = [...toasts.value, { id, kind, text }].slice(-MOST_TOASTS)
  hostClock.startTimer(SHOWN_MS[kind], () => endToast(id))
}

function endToast(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

/** Runs a user's action, and shows the result; null when it failed. */
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
