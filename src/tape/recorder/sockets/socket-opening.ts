import { MessageFlaw } from '../http/message-flaw.ts'
import { headerValue, headText, type MessageHead } from '../http/message-head.ts'
import { requestHeaders } from '../kept-headers.ts'
import type { OutgoingRequest } from '../outgoing-request.ts'
import type { ProxyContext } from '../proxy-context.ts'
import { RecordedSocket } from './recorded-socket.ts'

/** Only a WebSocket can be gone over to. */
export function checkIsSocket(answer: MessageHead): void {
  if (headerValue(answer, 'upgrade')?.toLowerCase() !== 'websocket')
    throw new MessageFlaw('went over to a protocol that is not WebSocket')
}

/** A WebSocket connection that the service has agreed to, recorded from here on. */
export function openedSocket(
  asked: OutgoingRequest,
  startedMs: number,
  answer: MessageHead,
  { recording, redaction, budget, nextConnection }: ProxyContext,
): RecordedSocket {
  const connection = nextConnection()
  const offered = headerValue(asked.head, 'sec-websocket-protocol')
  const chosen = headerValue(answer, 'sec-websocket-protocol')
  recording.add('connection', {
    connection,
    event: 'open',
    startedMs,
    url: redaction.url(headText(asked.target)),
    requestHeaders: requestHeaders(asked.head, redaction),
    protocols: offered === null ? [] : offered.split(',').map((one) => redaction.text(one.trim())),
    protocol: chosen === null ? null : redaction.text(chosen),
  })
  const extensions = headerValue(answer, 'sec-websocket-extensions')
  return new RecordedSocket(connection, extensions, recording, redaction, budget)
}
