/** How long the body of a message is, by its head (RFC 9112, section 6). */
import { MessageFlaw } from './message-flaw.ts'
import { headerValue, type MessageHead } from './message-head.ts'

export type BodyFraming =
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  /** Until the connection ends. */
  | { kind: 'close' }

const EMPTY: BodyFraming = { kind: 'length', bytes: 0 }

/** Of a request: without a length it has no body. */
export const requestFraming = (head: MessageHead): BodyFraming => statedFraming(head) ?? EMPTY

/** Of an answer, which depends on what was asked. */
export function answerFraming(head: MessageHead, method: string, status: number): BodyFraming {
  if (method === 'HEAD' || status === 204 || status === 304) return EMPTY
  return statedFraming(head) ?? { kind: 'close' }
}

function statedFraming(head: MessageHead): BodyFraming | null {
  const encoding = headerValue(head, 'transfer-encoding')
  const length = headerValue(head, 'content-length')
  if (encoding !== null && length !== null)
    throw new MessageFlaw('states a length and sends chunks all the same')
  if (encoding !== null) {
    if (/(^|,)\s*chunked\s*$/i.test(encoding)) return { kind: 'chunked' }
    throw new MessageFlaw(`uses the transfer encoding "${encoding}", which does not end in chunked`)
  }
  if (length === null) return null
  if (!/^\d{1,15}$/.test(length)) throw new MessageFlaw(`states "${length}" as its length`)
  return { kind: 'length', bytes: Number(length) }
}
