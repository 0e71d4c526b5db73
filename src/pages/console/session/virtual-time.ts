/** The clocks between two looks at the sandbox: session time, and what the market shows. */
import { signal } from '@preact/signals'
import { hostClock } from '../../../clock/system-clock.ts'
import { sandboxRecord, serverState } from './connection.ts'
import { onFrame } from './frames.ts'

export interface VirtualTime {
  /** ms since 1970, by the session clock. */
  sessionMs: number
  /** What clients are shown of the market, ms since 1970. */
  shownMs: number
  /** On the tape, ms since 1970. */
  tapeMs: number
  /** By this machine. */
  machineMs: number
}

/** Renewed ten times a second; null while nothing is known. */
export const virtualTime = signal<VirtualTime | null>(null)

/** Keeps it going while the page is shown. */
export function runVirtualTime(): void {
  onFrame(() => {
    // Nobody knows what time it is there: what is shown stays as it was.
    if (serverState.peek() === 'gone') return
    const next = timeNow()
    const last = virtualTime.value
    const isSame = next && last && isNear(next.machineMs, last.machineMs)
    if (!isSame) virtualTime.value = next
  })
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 100

/** The same as of now. */
export function timeNow(): VirtualTime | null {
  const looked = sandboxRecord.value
  if (looked === null) return null
  const { record, asOfMs } = looked
  const { clock, playhead } = record
  const passedMs = clock.state === 'running' ? hostClock.monotonicMs() - asOfMs : 0
  const movedMs = playhead.speed === 'max' || playhead.growing ? 0 : passedMs * playhead.speed
  return {
    sessionMs: clock.now + passedMs,
    shownMs: playhead.shown + movedMs,
    tapeMs: playhead.at + movedMs,
    machineMs: hostClock.nowMs(),
  }
}
