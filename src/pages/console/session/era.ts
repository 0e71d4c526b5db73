/** Where times go on from one another: what was loaded before a seek has other times after it. */

import { effect, signal } from '@preact/signals'
import type { SandboxRecord } from '../../../clients/control/records.ts'
import { sandboxRecord } from './connection.ts'

/** Counts up when what was loaded is no more in the past of what comes. */
export const era = signal(0)

/** Follows what the looks at the sandbox say. */
export function followEra(): void {
  let last: SandboxRecord | null = null
  effect(() => {
    const record = sandboxRecord.value?.record ?? null
    if (record !== null && last !== null && isOther(last, record)) era.value = era.peek() + 1
    if (record !== null) last = record
  })
}

/** A shift is in whole seconds, and stays until the playhead is placed anew. */
function isOther(a: SandboxRecord, b: SandboxRecord): boolean {
  const shifts = [a, b].map(({ playhead }) => playhead.shown - playhead.at) as [number, number]
  return (
    a.id !== b.id ||
    a.world !== b.world ||
    a.playhead.lap !== b.playhead.lap ||
    shifts[0] !== shifts[1] ||
    b.playhead.at < a.playhead.at
  )
}
