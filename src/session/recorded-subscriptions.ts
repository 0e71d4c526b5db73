import type { Sandbox } from '../sandbox/sandbox.ts'

/** Whether a recording that is served back has a subscription. */
export const isRecorded = ({ world }: Sandbox, id: string): boolean =>
  world.recording?.stream(id) !== undefined

/** Why a subscription is refused that was not recorded; null where it is not. */
export function missedSubscription(sandbox: Sandbox, id: string): string | null {
  const { recording } = sandbox.world
  if (!recording || sandbox.config.miss !== 'refuse' || isRecorded(sandbox, id)) return null
  return recording.missedStream(id)
}
