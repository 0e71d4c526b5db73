/** Ways in which a service departs from the contract, put between a case and the sandbox. */

import { isJsonObject } from '../../../src/conformance/response-reading.ts'
import {
  isSocket,
  type TargetTransport,
  type TransportResponse,
  type TransportSocket,
} from '../../../src/conformance/target-transport.ts'
import { sign } from '../../../src/contract/signature.ts'
import { fixedClockS } from '../../fixtures/fixed-clock.ts'

/** What is answered in place of an answer. */
export type ResponseChange = (text: string, path: string) => string | Partial<TransportResponse>
/** What is sent to a client in place of a frame; none, or more than one. */
export type FrameChange = (frame: string, at: number) => string[]

/** Every answer changed. */
export const changingResponses = (
  transport: TargetTransport,
  change: ResponseChange,
): TargetTransport => ({
  ...transport,
  request: async (sent) => {
    const received = await transport.request(sent)
    const changed = change(received.text, sent.path)
    return { ...received, ...(typeof changed === 'string' ? { text: changed } : changed) }
  },
})

/** Every value of a JSON answer changed, from the leaves up. */
export const changingValues = (
  transport: TargetTransport,
  change: (value: unknown, name: string) => unknown,
): TargetTransport =>
  changingResponses(transport, (text) => {
    try {
      return JSON.stringify(mapped(JSON.parse(text), '', change))
    } catch {
      return text
    }
  })

export function mapped(
  value: unknown,
  name: string,
  change: (value: unknown, name: string) => unknown,
): unknown {
  if (Array.isArray(value))
    return change(
      value.map((item) => mapped(item, name, change)),
      name,
    )
  if (!isJsonObject(value)) return change(value, name)
  const entries = Object.entries(value).map(([key, inner]) => [key, mapped(inner, key, change)])
  return change(Object.fromEntries(entries), name)
}

/** Every request changed before it is sent. */
export const changingRequests = (
  transport: TargetTransport,
  change: (path: string, query: URLSearchParams, body?: string) => string | undefined,
): TargetTransport => {
  const changed = (path: string, body?: string) => {
    const [at = '', text = ''] = path.split('?')
    const query = new URLSearchParams(text)
    const sent = change(at, query, body)
    return { path: `${at}?${query}`, ...(sent === undefined ? {} : { body: sent }) }
  }
  return {
    request: ({ method, path, body }) => transport.request({ method, ...changed(path, body) }),
    connect: (path) => transport.connect(changed(path).path),
  }
}

/** Whoever asks is let in as a key that may do everything. */
export const acceptingAnySignature = (transport: TargetTransport): TargetTransport =>
  changingRequests(transport, (_, query, body) => {
    const parts = {
      AccessKeyId: 'demo',
      SignatureNonce: `n${Math.round(performance.now() * 1e6)}`,
      Timestamp: String(fixedClockS() + 1),
    }
    for (const [name, value] of Object.entries(parts)) query.set(name, value)
    query.set('Signature', sign(parts, 'demo-secret'))
    return body
  })

/** Every frame to the client changed, dropped or doubled. */
export const changingFrames = (
  transport: TargetTransport,
  change: FrameChange,
): TargetTransport => ({
  ...transport,
  connect: async (path) => {
    const opened = await transport.connect(path)
    return isSocket(opened) ? changedSocket(opened, change) : opened
  },
})

function changedSocket(socket: TransportSocket, change: FrameChange): TransportSocket {
  const frames: string[] = []
  let count = 0
  const take = () => {
    for (const frame of socket.frames.splice(0)) frames.push(...change(frame, count++))
  }
  return {
    get frames() {
      take()
      return frames
    },
    get closeCode() {
      return socket.closeCode
    },
    send: (data) => socket.send(data),
    ping: () => socket.ping?.(),
    close: () => socket.close(),
    waitForActivity: (ms) => socket.waitForActivity(ms),
  }
}

/** A connection that is never closed, or closed with another code. */
export const closingSockets =
  (
    code: (right: number | null) => number | null,
  ): ((transport: TargetTransport) => TargetTransport) =>
  (transport) => ({
    ...transport,
    connect: async (path) => {
      const socket = await transport.connect(path)
      if (!('frames' in socket)) return socket
      return {
        frames: socket.frames,
        get closeCode() {
          return code(socket.closeCode)
        },
        send: (sent) => socket.send(sent),
        ping: () => socket.ping?.(),
        close: () => socket.close(),
        waitForActivity: (ms) => socket.waitForActivity(ms),
      }
    },
  })
