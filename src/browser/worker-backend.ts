import {
  type Backend,
  type BackendRequest,
  type BackendSocket,
  LostConnection,
  type SocketListener,
} from '../transport/msw/backend.ts'
import type { PageMessage, WorkerMessage } from './messages.ts'

/** What a worker is to its page: messages there and back. */
export interface MessagePeer {
  postMessage(message: PageMessage): void
}

/** A backend whose registry is in a worker. */
export class WorkerBackend implements Backend {
  readonly ownUrls = []
  private readonly answers = new Map<number, Answer>()
  private readonly sockets = new Map<number, Socket>()
  private count = 0
  private endedBy: string | null = null

  constructor(private readonly worker: MessagePeer) {}

  async request({ signal, headers, ...rest }: BackendRequest): Promise<Response> {
    if (this.endedBy !== null) throw new LostConnection(this.endedBy)
    const id = ++this.count
    const call = { ...rest, headers: [...headers] as [string, string][] }
    const abort = () => this.worker.postMessage({ abort: id })
    try {
      return await new Promise<Response>((resolve, reject) => {
        this.answers.set(id, { resolve, reject, body: null, abort })
        signal.addEventListener('abort', abort, { once: true })
        this.worker.postMessage({ request: id, call })
      })
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  connect(path: string, listener: SocketListener): Promise<BackendSocket | null> {
    if (this.endedBy !== null) return Promise.resolve(null)
    const id = ++this.count
    return new Promise((resolve) => {
      this.sockets.set(id, { listener, resolve })
      this.worker.postMessage({ connect: id, path })
    })
  }

  /** Takes what the worker sends. */
  receive(message: WorkerMessage): void {
    if ('head' in message) this.begin(message)
    else if ('chunk' in message) this.answers.get(message.chunk)?.body?.enqueue(message.bytes)
    else if ('end' in message) this.end(message)
    else if ('lost' in message) this.lose(message.lost, message.why)
    else if ('connected' in message) this.settle(message)
    else if ('frame' in message) this.sockets.get(message.frame)?.listener.frame(message.text)
    else if ('closed' in message) this.closeSocket(message.closed, message.code, message.reason)
  }

  /** Nothing answers any more: what waits is lost. */
  stop(why: string): void {
    this.endedBy = why
    for (const id of [...this.answers.keys()]) this.lose(id, why)
    for (const id of [...this.sockets.keys()]) this.closeSocket(id, ABNORMAL_CLOSURE, '')
  }

  private begin({ head: id, status, headers, hasBody }: MessageOf<'head'>): void {
    const answer = this.answers.get(id)
    if (!answer) return
    const { abort } = answer
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        answer.body = controller
      },
      cancel: () => {
        this.answers.delete(id)
        abort()
      },
    })
    if (!hasBody) this.answers.delete(id)
    answer.resolve(new Response(hasBody ? stream : null, { status, headers }))
  }

  private end({ end: id, isWhole }: MessageOf<'end'>): void {
    const body = this.answers.get(id)?.body
    this.answers.delete(id)
    if (isWhole) body?.close()
    else body?.error(new TypeError('the connection was lost'))
  }

  private lose(id: number, why: string): void {
    const answer = this.answers.get(id)
    this.answers.delete(id)
    answer?.reject(new LostConnection(why))
    answer?.body?.error(new TypeError(why))
  }

  private settle({ connected: id, isAccepted }: MessageOf<'connected'>): void {
    const socket = this.sockets.get(id)
    if (!isAccepted) this.sockets.delete(id)
    socket?.resolve(isAccepted ? this.socketOf(id) : null)
  }

  private socketOf(id: number): BackendSocket {
    return {
      send: (data) => this.worker.postMessage({ send: id, data }),
      close: (code, reason) => {
        this.sockets.delete(id)
        this.worker.postMessage({ close: id, code, reason })
      },
    }
  }

  private closeSocket(id: number, code: number, reason: string): void {
    const socket = this.sockets.get(id)
    this.sockets.delete(id)
    socket?.resolve(null)
    socket?.listener.closed(code, reason)
  }
}

type MessageOf<Kind extends string> = Extract<WorkerMessage, Record<Kind, number>>

interface Answer {
  resolve: (response: Response) => void
  reject: (error: Error) => void
  body: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null
  abort: () => void
}

interface Socket {
  listener: SocketListener
  resolve: (socket: BackendSocket | null) => void
}

const ABNORMAL_CLOSURE = 1006
