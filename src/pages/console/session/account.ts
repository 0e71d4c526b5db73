/** A client of the sandbox that is looked at, signed with one of its keys. */
import {
  type ClientOf,
  clientOf,
  coin,
  content,
  distributor,
  futures,
  index,
  indicator,
  mix,
  perpdex,
  signal as signals,
  stock,
} from '../../../clients/index.ts'
import { sign } from '../../../contract/index.ts'

const GROUPS = {
  coin,
  content,
  distributor,
  futures,
  index,
  indicator,
  mix,
  perpdex,
  signal: signals,
  stock,
}

export type Account = ClientOf<typeof GROUPS>

/** A key of the sandbox, with its secret. */
export interface SigningKey {
  accessKey: string
  secretKey: string
  name: string
}

/**
 * A client of a sandbox. A market may stand still, be wound back or run a hundred times as fast,
 * so it takes no silence for a loss and fetches nothing that it may have missed: what is shown is
 * what is pushed.
 */
export const accountOf = (sandbox: string, key: SigningKey, onLost: () => void): Account =>
  clientOf(GROUPS, {
    baseUrl: `${location.origin}/s/${encodeURIComponent(sandbox)}`,
    accessKey: key.accessKey,
    secretKey: key.secretKey,
    backfills: false,
    silentAfterMs: null,
    retries: 1,
    onConnectionError: onLost,
    // Browsers have cryptography on https and on localhost only.
    ...(globalThis.crypto?.subtle === undefined ? { sign } : {}),
  })

/** How an operation is asked, by its id: `GET /hl/fills/:address`; undefined for none of these. */
export function operationLine(id: string): string | undefined {
  const [group = '', name = ''] = id.split('.')
  return (GROUPS as Record<string, Record<string, string> | undefined>)[group]?.[name]
}
