/** Deviations of a service, each by a carrier that changes what it carries. */
import type { CarriedSocket, Carrier, Received, Sent } from '../../src/conformance/carrier.ts'
import { isSocket } from '../../src/conformance/carrier.ts'

export interface Mutant {
  name: string
  /** Beginnings of the ids of the cases that may notice. */
  only: readonly string[]
  request?: (received: Received, sent: Sent) => Received
  /** A frame that comes; null is lost. */
  frame?: (text: string, path: string) => string | null
}

/** A carrier with a deviation. */
export const deviating = (carrier: Carrier, { request, frame }: Mutant): Carrier => ({
  async request(sent) {
    const received = await carrier.request(sent)
    return request ? request(received, sent) : received
  },
  async connect(path) {
    const opened = await carrier.connect(path)
    if (!isSocket(opened)) {
      const sent: Sent = { method: 'GET', path }
      return request ? request(opened, sent) : opened
    }
    return frame ? heardThrough(opened, (text) => frame(text, path)) : opened
  },
})

function heardThrough(socket: CarriedSocket, frame: (text: string) => string | null) {
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
    stirred: (ms: number) => socket.stirred(ms),
  }
}
