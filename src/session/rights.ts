/** What the key of a connection may hold. */
import type { Channel } from '../contract/channel.ts'
import { hubOf } from './hub.ts'
import type { Session } from './session.ts'

/** Whether the key may still hold this connection. */
export function isAllowed({ sandbox, caller, channels }: Session): boolean {
  const { tenancy, answers } = sandbox
  const { access } = channels[0] as Channel
  if (!caller.key || access.kind !== 'permission') return true
  const key = tenancy.keys.get(caller.key.accessKey)
  return key?.status === 'active' && tenancy.grants(key, access.name, answers)
}

/** How many subscriptions the key may hold, when it holds so many; null while there is room. */
export function fullAt({ sandbox, caller: { key } }: Session): number | null {
  if (!key || sandbox.terms.metering === 'off') return null
  const most = sandbox.limitsOf(key).maxSubscriptions
  if (most === null) return null
  return hubOf(sandbox).heldBy(key.accessKey).subscriptions >= most ? most : null
}
