/** Recorded traffic as a report tells it. */
import type { Method } from '../../contract/operation.ts'
import type { Said, SaidSocket } from '../conversation.ts'
import type { RecordedExchange } from './recorded-traffic.ts'

/** Letters of a text that are kept. */
const TEXT_MAX = 4_000

const BY_NOBODY_HERE = { by: 'the client', in: 'query', ageS: 0, isAltered: false } as const

/** A request and its answer. */
export function saidExchange(recorded: RecordedExchange): Said[] {
  const { method, url, requestBody, status, headers, responseBody } = recorded
  const contentType = headers['content-type'] ?? ''
  const answer = { afterMs: 0, status, contentType, text: responseBody.slice(0, TEXT_MAX) }
  const body = requestBody === '' ? {} : { body: requestBody.slice(0, TEXT_MAX) }
  const asking = { afterMs: 0, address: url, signature: BY_NOBODY_HERE, ...body }
  return [{ kind: 'request', method: method as Method, ...asking, answer }]
}

/** A push. */
export function saidFrame(path: string, text: string): SaidSocket[] {
  const frames = [{ afterMs: 0, from: 'target' as const, text: text.slice(0, TEXT_MAX) }]
  const asking = { afterMs: 0, address: path, signature: BY_NOBODY_HERE, answer: null }
  return [{ kind: 'socket', ...asking, frames, omitted: 0, closeCode: null }]
}
