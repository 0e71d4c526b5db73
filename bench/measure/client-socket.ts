/** A socket of which the near side is a client's, and the far side the benchmark's. */
import { sign } from '../../src/contract/signature.ts'

export class ClientSocket {
  static latest: ClientSocket
  readonly OPEN = 1
  readyState = 0
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = (_: { code: number }) => {}

  constructor() {
    ClientSocket.latest = this
    queueMicrotask(() => {
      this.readyState = 1
      this.onopen()
    })
  }

  send() {}

  close(code = 1000) {
    if (this.readyState === 3) return
    this.readyState = 3
    this.onclose({ code })
  }
}

/** What a client needs for it. */
export const ON_CLIENT_SOCKETS = {
  accessKey: 'demo',
  secretKey: 'demo-secret',
  baseUrl: 'http://there',
  sign,
  socketClass: ClientSocket as unknown as new (url: string) => WebSocket,
  send: async () => new Response('{"code":"0","msg":"success","data":[]}'),
}
