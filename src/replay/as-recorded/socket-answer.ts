import { info } from '../../contract/venue/info.ts'
import { AS_RECORDED, askedRequest } from '../asked-request.ts'
import type { RecordedPost } from '../socket-follower.ts'
import type { RecordedAnswer } from './recorded-answers.ts'

/** An answer with its body. */
export interface WholeAnswer extends Omit<RecordedAnswer, 'text'> {
  body: string
}

/** The venue's status for a question that it cannot read. */
const REFUSED = 422

/** A question that was answered over a socket, as `POST /info` would have been. */
export function socketAnswer(
  { question, response: { type, payload } }: RecordedPost,
  atMs: number,
): WholeAnswer {
  const given = { operation: info, params: {}, query: '', body: question }
  const asked = askedRequest(given, AS_RECORDED)
  if (type !== 'info')
    return { asked, atMs, status: REFUSED, contentType: 'text/plain', body: String(payload) }
  const { data = null } = (payload ?? {}) as { data?: unknown }
  const body = JSON.stringify(data)
  return { asked, atMs, status: 200, contentType: 'application/json', body }
}
