import { CONTROL, type Json, type ServerRequests } from './server-requests.ts'
import type { HeldThings } from './stored-things.ts'
import { CLOCK } from './storing-client.ts'

/** The server's present contents. */
export async function heldThings(server: ServerRequests): Promise<HeldThings> {
  const levels = (await server.call('GET', '/distributor/levels', 'demo-partner')).data
  const alerts = (await server.call('GET', '/signal/getSignalAlertSetList', 'demo')).data
  const quota = (await server.call('GET', '/distributor/quota', 'demo-partner')).data
  const keys = await server.list(`${CONTROL}/default/keys`)
  const invites = await server.list(`${CONTROL}/default/invites`)
  const bookmarks = await server.list(`${CONTROL}/default/playhead/bookmarks`)
  const sandboxes = await server.list(CONTROL)
  const { clock } = await server.fetch('GET', CLOCK)
  return {
    levels: levels as string[],
    alerts: fieldOf((alerts as Json).list, 'subType'),
    keys: fieldOf(keys, 'accessKey'),
    invites: fieldOf(invites, 'inviteToken'),
    usedInvites: fieldOf(usedOf(invites), 'inviteToken'),
    bookmarks: fieldOf(bookmarks, 'bookmark'),
    sandboxes: fieldOf(sandboxes, 'id'),
    nowMs: (clock as { now: number }).now,
    used: (quota as { used_quota: number }).used_quota,
  }
}

const fieldOf = (records: unknown, field: string): string[] =>
  (records as Json[]).map((record) => record[field] as string)

const usedOf = (invites: unknown): Json[] =>
  (invites as Json[]).filter(({ usedBy }) => usedBy !== null)
