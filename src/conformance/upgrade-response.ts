/** What a service answers to a request for a socket which it refuses. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'

/** The answer; rejects when there is none in time, and when a socket is opened after all. */
export async function upgradeResponse(url: string, answerMs: number): Promise<Response> {
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
  return new Response(await buffer(answer), { status: answer.statusCode ?? 0, headers })
}

const HEADERS = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
