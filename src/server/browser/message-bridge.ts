import type { Backend, BackendSocket } from '../transport/msw/backend.ts'
import type { PageMessage, WorkerMessage } from './messages.ts'

type Report = (message: WorkerMessage, transfer?: ArrayBuffer[]) => void
type Message = Exclude<PageMessage, { open: unknown }>
type MessageOf<Kind extends string> = Extract<Message, Record<Kind, number>>

/** Forwards messages of a page to a backend, and its responses to the page. */
export class MessageBridge {
  private readonly requests = new Map<number, AbortController>()
  private readonly sockets = new Map<number, Promise<BackendSocket | null>>()

  constructor(
    private readonly backend: Backend,
    private readonly report: Report,
  ) {}

  receive(message: Message): void {
    if ('request' in message) void this.answer(message)
    else if ('abort' in message) this.requests.get(message.abort)?.abort()
    else if ('connect' in message) void this.connect(message.connect, message.path)
    else if ('send' in message) this.with(message.send, (socket) => socket.send(message.data))
    else this.end(message)
  }

  private async answer({ request: id, call }: MessageOf<'request'>): Promise<void> {
    const abort = new AbortController()
    this.requests.set(id, abort)
    try {
      const headers = new Headers(call.headers)
      const { method, path, body } = call
      const { signal } = abort
      const response = await this.backend.request({ method, path, headers, body, signal })
      const head = { status: response.status, headers: [...response.headers] }
      this.report({ head: id, ...head, hasBody: response.body !== null })
      if (response.body) await this.sendBody(id, response.body, signal)
    } catch (error) {
      this.report({ lost: id, why: error instanceof Error ? error.message : String(error) })
    } finally {
      this.requests.delete(id)
    }
  }

  private async sendBody(
    id: number,
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    const reader = body.getReader()
    signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
    try {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) break
        // A copy is sent, as others may read the same bytes.
        const bytes = typeof value === 'string' ? encoder.encode(value) : value.slice()
        this.report({ chunk: id, bytes }, [bytes.buffer])
      }
      this.report({ end: id, isWhole: true })
    } catch {
      this.report({ end: id, isWhole: false })
    }
  }

  private async connect(id: number, path: string): Promise<void> {
    const connecting = this.backend.connect(path, {
      frame: (text) => this.report({ frame: id, text }),
      closed: (code, reason) => {
        this.sockets.delete(id)
        this.report({ closed: id, code, reason })
      },
    })
    this.sockets.set(id, connecting)
    const socket = await connecting.catch(() => null)
    if (!socket) this.sockets.delete(id)
    this.report({ connected: id, isAccepted: socket !== null })
  }

  private end({ close: id, code, reason }: MessageOf<'close'>): void {
    this.with(id, (socket) => socket.close(code, reason))
    this.sockets.delete(id)
  }

  private with(id: number, task: (socket: BackendSocket) => void): void {
    void this.sockets.get(id)?.then((socket) => socket && task(socket))
  }
}

const encoder = new TextEncoder()
