/** Trades and fills in the answers and pushes of a ledger. */

import { isJsonObject, type JsonObject } from '../../responses.ts'
import type { Hearing } from '../ledger-rule.ts'

/** Maximum number of remembered trades and fills of a target. */
export const TRADES_MAX = 300_000

/** The trades of a push; null for any other entry. */
export function tradesOf({ heard, json }: Hearing): JsonObject[] | null {
  if (heard.kind !== 'frame' || heard.from !== 'target' || !isJsonObject(json)) return null
  if (json.channel !== 'trades' || !Array.isArray(json.data) || json.data.length === 0) return null
  return json.data.filter(isJsonObject)
}

/** A fill or a trade, by its id, with its account where it has one. */
interface HeardFill {
  tid: number
  address: string | null
  row: JsonObject
}

/** Native fills of an answer or a push; aggregated ones are sums of several. */
export function fillsOf(hearing: Hearing): HeardFill[] {
  const { heard, json, data } = hearing
  if (heard.kind === 'answer') {
    const { path, body } = heard.request
    const isOfInfo =
      hearing.operation?.id === 'perpdex.info' &&
      isJsonObject(body) &&
      (body.type === 'userFills' || body.type === 'userFillsByTime')
    if (!Array.isArray(data)) return []
    if (isOfInfo) return nativeFills(data, String(body.user))
    if (!FILL_OPERATIONS.has(hearing.operation?.id ?? '')) return []
    return nativeFills(data, addressOf(path))
  }
  if (heard.kind !== 'frame' || heard.from !== 'target' || !isJsonObject(json)) return []
  const { type, channel, data: pushed } = json
  if (!isJsonObject(pushed)) return []
  if (type === 'data') return nativeFills([pushed], null)
  if (channel !== 'userFills' || !Array.isArray(pushed.fills)) return []
  return nativeFills(pushed.fills, String(pushed.user))
}

const FILL_OPERATIONS: ReadonlySet<string> = new Set([
  'perpdex.fillsOfAddress',
  'perpdex.fillsOfOrder',
  'perpdex.fillsOfTwap',
  'perpdex.fillsOfBuilder',
])

const addressOf = (path: string): string | null => /^\/hl\/fills\/(0x\w+)$/.exec(path)?.[1] ?? null

function nativeFills(rows: readonly unknown[], of: string | null): HeardFill[] {
  return rows.filter(isJsonObject).flatMap((row) => {
    if (typeof row.tid !== 'number' || typeof row.px !== 'string') return []
    const address = typeof row.address === 'string' ? row.address : of
    return [{ tid: row.tid, address: address?.toLowerCase() ?? null, row }]
  })
}
