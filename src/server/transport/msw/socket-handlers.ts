/** Sockets: msw intercepts them, the backend serves them. */
import { type WebSocketHandler, ws } from 'msw'
import type { Backend, BackendSocket, SocketListener } from './backend.ts'
import type { InterceptedUrls } from './intercepted-urls.ts'

/** Connects every socket under a base URL of the service, known path or not. */
export function socketHandler(urls: InterceptedUrls, backend: Backend): WebSocketHandler {
  const opened = new WeakMap<InterceptedClient, { end: ClientEnd; socket: BackendSocket | null }>()
  const handler = ws.link(urls.ws).addEventListener('connection', ({ client }) => {
    const { end, socket } = opened.get(client as InterceptedClient) ?? {}
    if (socket) end?.connectTo(socket)
    else end?.refuse()
  })
  // msw opens the client's socket as soon as its handlers have run, and awaits only this function:
  // the client must not be open before the backend has accepted it.
  const run = handler.run.bind(handler)
  handler.run = async (connection, context) => {
    const matched = await run(connection, context)
    if (!matched) return null
    const client = matched.client as InterceptedClient
    const end = new ClientEnd(client)
    const socket = await backend.connect(urls.pathOf(client.url), end)
    opened.set(client, { end, socket })
    return matched
  }
  return handler
}

// The client's end of an intercepted socket.

/** The client as msw passes it, with the socket in the client's code. */
type InterceptedClient = Parameters<WebSocketHandler['run']>[0]['client'] & {
  readonly socket: WebSocket
}

class ClientEnd implements SocketListener {
  private isOver = false
  /** The client's frames in order, as reading a blob is asynchronous. */
  private sending: Promise<void> = Promise.resolve()

  constructor(private readonly client: InterceptedClient) {}

  frame(text: string): void {
    this.client.send(text)
  }

  closed(code: number, reason: string): void {
    this.isOver = true
    // msw sends a frame a turn later, and sends none to a client that is being closed.
    const close = () => queueMicrotask(() => this.client.close(code, reason))
    const { socket } = this.client
    if (socket.readyState === socket.CONNECTING)
      socket.addEventListener('open', close, { once: true })
    else close()
  }

  /** Connects the client with a socket. */
  connectTo(socket: BackendSocket): void {
    const { client } = this
    const close = (code: number, reason: string) => {
      this.sending = this.sending.then(() => {
        if (!this.isOver) socket.close(code, reason)
      })
    }
    client.addEventListener('message', ({ data }) => {
      this.sending = this.sending.then(async () => {
        const frame = await frameOf(data)
        if (!this.isOver) socket.send(frame)
      })
    })
    client.addEventListener('close', ({ code, reason }) => close(code, reason))
    if (client.socket.readyState > client.socket.OPEN) close(NORMAL_CLOSURE, '')
  }

  /** The client's view of a refused upgrade: an error, without having been open. */
  refuse(): void {
    this.client.socket.dispatchEvent(new Event('error'))
    this.client.close(ABNORMAL_CLOSURE)
  }
}

const NORMAL_CLOSURE = 1000
const ABNORMAL_CLOSURE = 1006

type SentData = string | Blob | ArrayBufferLike | ArrayBufferView

async function frameOf(data: SentData): Promise<string | Uint8Array<ArrayBuffer>> {
  if (typeof data === 'string') return data
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer())
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
    : new Uint8Array(data).slice()
}
