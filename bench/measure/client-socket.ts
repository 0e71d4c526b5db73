/** A socket between a client and the benchmark, in memory. */
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

/** Client options for it. */
export const ON_CLIENT_SOCKETS = {
  accessKey: 'demo',
  secretKey: 'demo-secret',
  baseUrl: 'http://there',
  sign,
  socketClass: ClientSocket as unknown as new (url: string) => WebSocket,
  send: async () => new Response('{"code":"0","msg":"success","data":[]}'),
}
