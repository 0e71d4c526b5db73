/** Short messages that go away by themselves. */
import { signal } from '@preact/signals'
import { hostClock } from '../../../clock/system-clock.ts'
import { errorText } from './error-text.ts'

export interface Toast {
  id: number
  kind: 'done' | 'failed'
  text: string
}

const SHOWN_MS = { done: 4000, failed: 12_000 }
const MOST_TOASTS = 4
let lastId = 0

export const toasts = signal<readonly Toast[]>([])

/** Says something for a few seconds. */
export function toast(kind: Toast['kind'], text: string): void {
  const id = ++lastId
  toasts.value = [...toasts.value, { id, kind, text }].slice(-MOST_TOASTS)
  hostClock.startTimer(SHOWN_MS[kind], () => endToast(id))
}

export function endToast(id: number): void {
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
