/** Whether what is said is what was declared of it, whatever it was asked with. */

import type { Envelope } from '../contract/envelope.ts'
import type { Operation } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'
import { fractionMismatch } from './declared-fractions.ts'
import { rowsFlaw } from './declared-rows.ts'
import type { Flaw } from './flaw.ts'
import { isJsonObject } from './parsed-json.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'
import { saysSuccess } from './response-reading.ts'
import { channelOf, operationAt, pushedData } from './said-data.ts'
import { envelopeMismatch, schemaDifference, schemaMismatch } from './schema-mismatch.ts'

/** Where an answer of success is not wrapped as declared or its data not of its schema, or null. */
export function answerFlaw(exchange: ProbeExchange): Flaw | null {
  const { method, path, json } = exchange
  const operation = operationAt(method, path)
  if (!operation || operation.servedWhen || !isJsonObject(json) || !saysSuccess(json)) return null
  const { data } = json
  const flaw =
    wrappingFlaw(operation, exchange) ??
    (operation.envelope.kind === 'C' && !operation.envelope.data ? null : dataFlaw(operation, data))
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

const dataFlaw = (operation: Operation, data: unknown): string | null =>
  schemaMismatch(operation.data, data) ??
  fractionMismatch(operation.data, data) ??
  rowsFlaw(operation, data)

/** How a success is told; in which envelope may be open. */
function wrappingFlaw(
  { envelope, envelopeByAnswer }: Operation,
  { status, contentType, json }: ProbeExchange,
): string | null {
  if (status !== 200) return `a success is HTTP 200, not ${status}`
  if (!/json/.test(contentType)) return `the answer says that it is JSON, not ${contentType}`
  const forms = [envelope, ...Object.values<Envelope>(envelopeByAnswer?.is ?? {})]
  const flaws = forms.map((form) => envelopeMismatch(form, json))
  return flaws.includes(null) ? null : (flaws[0] ?? null)
}

/** Where the data of a push is not of its schema; null when it is, and for other frames. */
export function frameFlaw(path: string, frame: SocketFrame): Flaw | null {
  // How an error is worded is open.
  const channel = frame.type === 'error' ? undefined : channelOf(path, frame)
  if (!channel) return null
  const data = pushedData(frame)
  return flawOf(channel, schemaMismatch(channel.data, data), data)
}
