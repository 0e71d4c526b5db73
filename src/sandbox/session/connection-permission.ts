/** Whether a connection may stay open. */
import type { Channel } from '../../contract/channel.ts'
import type { Connection } from './connection.ts'

/** Whether the key may still hold this connection. */
export function isConnectionAllowed({ sandbox, caller, channels }: Connection): boolean {
  const { tenancy, answers } = sandbox
  const { access } = channels[0] as Channel
  if (!caller.key || access.kind !== 'permission') return true
  const key = tenancy.keys.get(caller.key.accessKey)
  return key?.status === 'active' && tenancy.grants(key, access.name, answers)
}
