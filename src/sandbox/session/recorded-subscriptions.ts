import type { Channel } from '../../contract/channel.ts'
import type { Upstream } from '../../tape/replay/upstream.ts'
import type { Sandbox } from '../sandbox.ts'

/** Whether a recording that is served back has a subscription. */
export const isRecorded = ({ world }: Sandbox, id: string): boolean =>
  world.recording?.stream(id) !== undefined

/** The service that is asked for subscriptions that were not recorded; null where it is not. */
export const upstreamOf = ({ world, config }: Sandbox): Upstream | null =>
  (world.recording && config.miss === 'upstream' && world.upstream) || null

/** Whether there is something to be subscribed to. */
export const exists = (
  sandbox: Sandbox,
  id: string,
  channel: Channel,
  subscription: Record<string, unknown>,
): boolean =>
  isRecorded(sandbox, id) ||
  upstreamOf(sandbox) !== null ||
  (channel.exists?.(subscription as never, sandbox.facts()) ?? true)

/** Why a subscription is refused that was not recorded; null where it is not. */
export function missedSubscription(sandbox: Sandbox, id: string): string | null {
  const { recording } = sandbox.world
  const { miss } = sandbox.config
  if (!recording || miss === 'world' || isRecorded(sandbox, id)) return null
  if (miss === 'refuse') return recording.missedStream(id)
  return upstreamOf(sandbox) ? null : 'the server was started without --upstream'
}
