/** What a client is told by the recorder itself, when there is no answer to pass on. */
import { STATUS_CODES } from 'node:http'
import { headerField, type MessageHead } from './message-head.ts'

/** The answer, after which the connection ends. */
export function ownAnswer(status: number, message: string): { head: MessageHead; body: Buffer } {
  const body = Buffer.from(`tapewright record: ${message}\n`)
  const fields = [
    headerField('content-type', 'text/plain; charset=utf-8'),
    headerField('content-length', String(body.length)),
    headerField('connection', 'close'),
  ]
  return { head: { first: `HTTP/1.1 ${status} ${STATUS_CODES[status]}`, fields }, body }
}
