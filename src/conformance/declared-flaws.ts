/** Whether what is said is what was declared of it, whatever it was asked with. */

import { fractionMismatch } from './declared-fractions.ts'
import { rowsFlaw } from './declared-rows.ts'
import { isJsonObject } from './parsed-json.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'
import { isSuccess } from './response-reading.ts'
import { channelOf, operationAt, pushedData } from './said-data.ts'
import { schemaMismatch } from './schema-mismatch.ts'

/** Where the data of an answer of success is not of its schema; null when it is. */
export function answerFlaw(exchange: ProbeExchange): string | null {
  const { method, path, json } = exchange
  const operation = operationAt(method, path)
  if (!operation || !isSuccess(exchange) || !isJsonObject(json)) return null
  // Who has changed something first puts it back: what comes of changes, their cases judge.
  if (operation.changes || operation.servedWhen) return null
  const { data } = json
  const flaw =
    schemaMismatch(operation.data, data) ??
    fractionMismatch(operation.data, data) ??
    rowsFlaw(operation, data)
  return flaw === null ? null : `${operation.id}: ${flaw}`
}

/** Where the data of a push is not of its schema; null when it is, and for other frames. */
export function frameFlaw(path: string, frame: SocketFrame): string | null {
  // How an error is worded is open.
  const channel = frame.type === 'error' ? undefined : channelOf(path, frame)
  const flaw = channel ? schemaMismatch(channel.data, pushedData(frame)) : null
  return flaw === null ? null : `${channel?.id}: ${flaw}`
}
