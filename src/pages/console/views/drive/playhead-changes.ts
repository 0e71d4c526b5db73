/** What can be done to the playhead, each with what came of it said. */
import { act } from '../../session/action.ts'
import { lookAgain, sandboxRecord, showRecord } from '../../session/connection.ts'

export type Speed = number | 'max'

/** The speed that play goes back to. */
let lastSpeed: Speed = 1

export const SPEEDS: readonly Speed[] = [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 'max']

const speedNow = (): Speed => sandboxRecord.value?.record.playhead.speed ?? 1

export function setSpeed(speed: Speed): Promise<unknown> {
  if (speed !== 0) lastSpeed = speed
  return change({ speed })
}

/** Pauses what goes, and has what is paused go as fast as it went. */
export const togglePlay = (): Promise<unknown> => {
  const speed = speedNow()
  if (speed !== 0) lastSpeed = speed
  return setSpeed(speed === 0 ? lastSpeed : 0)
}

/** The next of the usual speeds, to either side. */
export function shiftSpeed(by: 1 | -1): void {
  const now = speedNow()
  const order = (speed: Speed) => (speed === 'max' ? Number.POSITIVE_INFINITY : speed)
  const others = by > 0 ? SPEEDS : SPEEDS.toReversed()
  const next = others.find((one) => (order(one) - order(now)) * by > 0)
  if (next !== undefined) void setSpeed(next)
}

/** Places the playhead, tape time in ms. */
export const seek = (at: number): Promise<unknown> => change({ at: Math.round(at) })

export const setEnd = (end: 'continue' | 'hold' | 'loop'): Promise<unknown> => change({ end })

export async function step(kind?: 'trade'): Promise<void> {
  const reached = await act(({ playhead }) => playhead.step(kind === undefined ? {} : { kind }))
  if (reached) showRecord(reached.sandbox)
}

async function change(fields: {
  at?: number
  speed?: Speed
  end?: 'continue' | 'hold' | 'loop'
}): Promise<void> {
  const record = await act((control) => control.playhead.set(fields))
  if (record) showRecord(record)
  else await lookAgain()
}
