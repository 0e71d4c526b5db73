/** A client of the selected sandbox, signed with one of its keys. */

import { coin } from '../../../clients/service/contract/coin.ts'
import { content } from '../../../clients/service/contract/content.ts'
import { distributor } from '../../../clients/service/contract/distributor.ts'
import { futures } from '../../../clients/service/contract/futures.ts'
import { index } from '../../../clients/service/contract/index.ts'
import { indicator } from '../../../clients/service/contract/indicator.ts'
import { mix } from '../../../clients/service/contract/mix.ts'
import { perpdex } from '../../../clients/service/contract/perpdex.ts'
import { signal as signals } from '../../../clients/service/contract/signal.ts'
import { stock } from '../../../clients/service/contract/stock.ts'
import { type ClientOf, clientOf } from '../../../clients/service/lean-client.ts'
import { sign } from '../../../contract/signature.ts'

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
 * The base URL of a sandbox for the console's own requests, which the journal tells from those of
 * clients; and for a request that a user of the console repeats.
 */
export const consoleBase = (sandbox: string): string =>
  `${location.origin}/console/s/${encodeURIComponent(sandbox)}`

export const clientBase = (sandbox: string): string =>
  `${location.origin}/s/${encodeURIComponent(sandbox)}`

/**
 * A client of a sandbox, at one of these bases. Its market may be paused, rewound or run a hundred
 * times as fast, so the client treats no silence as a loss and fetches no missed data: only pushes
 * are shown.
 */
export const accountOf = (baseUrl: string, key: SigningKey, onLost: () => void): Account =>
  clientOf(GROUPS, {
    baseUrl,
    accessKey: key.accessKey,
    secretKey: key.secretKey,
    backfills: false,
    silentAfterMs: null,
    retries: 1,
    onConnectionError: onLost,
    // Browsers have cryptography on https and on localhost only.
    ...(globalThis.crypto?.subtle === undefined ? { sign } : {}),
  })

/**
 * Request line of an operation, by its id: `GET /hl/fills/:address`; undefined for an unknown one.
 */
export function operationLine(id: string): string | undefined {
  const [group = '', name = ''] = id.split('.')
  return (GROUPS as Record<string, Record<string, string> | undefined>)[group]?.[name]
}
