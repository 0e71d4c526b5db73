/** Deviations of a service, each by a transport that changes what it carries. */
import type {
  TargetTransport,
  TransportRequest,
  TransportResponse,
  TransportSocket,
} from '../../../src/conformance/target-transport.ts'
import { isSocket } from '../../../src/conformance/target-transport.ts'

export interface Mutant {
  name: string
  /** Beginnings of the ids of the cases that may notice. */
  caseIdPrefixes: readonly string[]
  request?: (received: TransportResponse, sent: TransportRequest) => TransportResponse
  /** A frame that comes; null is lost. */
  frame?: (text: string, path: string) => string | null
}

/** A transport with a deviation. */
export const mutatedTransport = (
  transport: TargetTransport,
  { request, frame }: Mutant,
): TargetTransport => ({
  async request(sent) {
    const received = await transport.request(sent)
    return request ? request(received, sent) : received
  },
  async connect(path) {
    const opened = await transport.connect(path)
    if (!isSocket(opened)) {
      const sent: TransportRequest = { method: 'GET', path }
      return request ? request(opened, sent) : opened
    }
    return frame ? framesThrough(opened, (text) => frame(text, path)) : opened
  },
})

function framesThrough(
  socket: TransportSocket,
  frame: (text: string) => string | null,
): TransportSocket {
  const frames: string[] = []
  const take = () => {
    for (const text of socket.frames.splice(0)) {
      const changed = frame(text)
      if (changed !== null) frames.push(changed)
    }
  }
  return {
    get frames() {
      take()
      return frames
    },
    get closeCode() {
      return socket.closeCode
    },
    send: (data: string | Uint8Array) => socket.send(data),
    close: () => socket.close(),
    waitForActivity: (ms: number) => socket.waitForActivity(ms),
  }
}
