/** What a service answers to a request for a socket which it refuses: pages have another source. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Flood } from './case-outcome.ts'

/**
 * The answer; rejects when there is none in time, and when a socket is opened after all. A
 * Flood says that it is longer than is read.
 */
export async function upgradeResponse(
  url: string,
  answerMs: number,
  maxBytes: number,
): Promise<Response> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.startsWith('https') ? httpsRequest : httpRequest
    const sent = send(url, { headers: HEADERS, signal: AbortSignal.timeout(answerMs) }, resolve)
    sent.on('error', reject)
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('the socket is opened the second time'))
    })
    sent.end()
  })
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const body = await wholeOf(answer, maxBytes)
  return new Response(body, { status: answer.statusCode ?? 0, headers })
}

async function wholeOf(
  answer: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the connection.
  for await (const part of answer as AsyncIterable<Uint8Array>) {
    length += part.byteLength
    if (length > maxBytes) throw new Flood(`an answer is longer than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

const HEADERS = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
