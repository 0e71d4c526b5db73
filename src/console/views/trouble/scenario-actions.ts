/** Putting scenarios on and off, also for a while. */
import { signal } from '@preact/signals'
import { hostClock } from '../../../clock/system-clock.ts'
import type { SandboxControl } from '../../../control-client/control.ts'
import { lookAgain } from '../../session/connection.ts'
import { attempt } from '../../shell/toasts.ts'
import { say } from './words.ts'

/** When those end that were put on for a while, by the machine's count: sandbox and name to ms. */
export const endings = signal<ReadonlyMap<string, number>>(new Map())

/** Under what a scenario of a sandbox is found in `endings`. */
export const endingKey = (sandbox: string, name: string): string => `${sandbox} ${name}`

export async function putOn(control: SandboxControl, name: string, forMs?: number): Promise<void> {
  const isDone = await attempt(() => control.scenario.add({ name }), say('isOn', { name }))
  await lookAgain()
  if (isDone === null || forMs === undefined) return
  const key = endingKey(control.id, name)
  const endMs = hostClock.monotonicMs() + forMs
  endings.value = new Map(endings.value).set(key, endMs)
  hostClock.startTimer(forMs, () => {
    if (endings.value.get(key) === endMs) void takeOff(control, name)
  })
}

export async function takeOff(control: SandboxControl, name?: string): Promise<void> {
  const rest = new Map(endings.value)
  for (const key of rest.keys())
    if (name === undefined || key === endingKey(control.id, name)) rest.delete(key)
  endings.value = rest
  const done = name === undefined ? undefined : say('isOff', { name })
  await attempt(() => control.scenario.clear(name === undefined ? {} : { name }), done)
  await lookAgain()
}
