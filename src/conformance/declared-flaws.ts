/** Whether what is said is what was declared of it, whatever it was asked with. */

import type { TSchema } from '../contract/schema.ts'
import { fractionMismatch } from './declared-fractions.ts'
import { rowsFlaw } from './declared-rows.ts'
import type { Flaw } from './flaw.ts'
import { isJsonObject } from './parsed-json.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'
import { isSuccess } from './response-reading.ts'
import { channelOf, operationAt, pushedData } from './said-data.ts'
import { schemaDifference, schemaMismatch } from './schema-mismatch.ts'

/** Where the data of an answer of success is not of its schema; null when it is. */
export function answerFlaw(exchange: ProbeExchange): Flaw | null {
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
  return flawOf(operation, flaw, data)
}

function flawOf(
  of: { id: string; data: TSchema },
  flaw: string | null,
  data: unknown,
): Flaw | null {
  if (flaw === null) return null
  const evidence = schemaDifference(of.data, data)
  return { message: `${of.id}: ${flaw}`, ...(evidence ? { evidence } : {}) }
}

/** Where the data of a push is not of its schema; null when it is, and for other frames. */
export function frameFlaw(path: string, frame: SocketFrame): Flaw | null {
  // How an error is worded is open.
  const channel = frame.type === 'error' ? undefined : channelOf(path, frame)
  if (!channel) return null
  const data = pushedData(frame)
  return flawOf(channel, schemaMismatch(channel.data, data), data)
}
