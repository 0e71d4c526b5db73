/** A sandbox in a web page, without a server: its world and its pipeline are in a worker. */
import { type Control, control, type SandboxControl } from '../../clients/control/control.ts'
import type { CreatedSandbox, SandboxFields } from '../../clients/control/records.ts'
import { UserError } from '../../platform/user-error.ts'
import { type SandboxClock, sandboxClock } from '../embedding/create-sandbox.ts'
import {
  type Backend,
  type BackendRequest,
  type BackendSocket,
  LostConnection,
  type SocketListener,
} from '../transport/msw/backend.ts'
import type { PageMessage, WorkerMessage } from './messages.ts'
import { missingFeatures } from './messages.ts'
import { POCKET_FILES } from './pocket-files.ts'

export interface PocketSandboxOptions
  extends Omit<SandboxFields, 'name' | 'tape' | 'seed' | 'idleS'> {
  /** URL of the folder that `tapewright cast --pocket` has written (`/tapewright/`). */
  files?: string | undefined
}

/** A sandbox in a page; `handlers` of `tapewright/msw` take it like one of `createSandbox`. */
export interface PocketSandbox extends Backend {
  readonly id: string
  /** `demo` and the other keys of every default sandbox. */
  readonly keys: Readonly<CreatedSandbox['keys']>
  readonly inviteToken: string
  /** Its control plane. */
  readonly control: SandboxControl
  /** The control plane of the worker, which may have more sandboxes. */
  readonly server: Control
  /** Its session clock. */
  readonly clock: SandboxClock
  /** Ends the worker. */
  close(): void
}

/**
 * Starts the worker and makes a sandbox in it.
 *
 * @throws UserError when the files are not served, or the browser lacks a required feature
 */
export async function pocketSandbox({
  files = '/tapewright/',
  ...fields
}: PocketSandboxOptions = {}): Promise<PocketSandbox> {
  const missing = missingFeatures()
  if (missing.length > 0)
    throw new UserError(
      `this browser has no ${missing.join(', no ')}, which a sandbox in a page needs: use a ` +
        'current one, and a page of localhost or https, outside a private window',
    )
  const folder = new URL(files.replace(/\/*$/, '/'), location.href).href
  const worker = await startedWorker(folder)
  const backend = new WorkerBackend(worker)
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => backend.receive(data)
  const leave = warnOfOtherTabs()
  const close = () => {
    leave()
    worker.terminate()
    backend.stop('the sandbox is closed')
  }
  try {
    const server = control(CONTROL_URL, { send: (url, init) => sent(backend, url, init) })
    const made = await server.sandboxes.create({ ...fields, name: 'default' })
    const { id, keys, inviteToken } = made
    const own = server.sandbox(id)
    const { ownUrls } = backend
    return {
      id,
      keys,
      inviteToken,
      control: own,
      server,
      clock: sandboxClock(own),
      ownUrls,
      request: (request) => backend.request(request),
      connect: (path, listener) => backend.connect(path, listener),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** The location of the page. */
declare const location: { href: string }

/** An address of the worker: nothing listens there. */
const CONTROL_URL = 'http://localhost'

async function startedWorker(folder: string): Promise<Worker> {
  const url = `${folder}${POCKET_FILES.worker}`
  const worker = new Worker(url, { type: 'module', name: 'tapewright' })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
        if ('opened' in data) resolve()
        else if ('failed' in data) reject(new UserError(data.failed))
      }
      // A browser gives no details of a script that cannot be loaded.
      worker.onerror = ({ message }) => reject(new UserError(notStarted(url, message)))
      worker.postMessage({ open: { folder } } satisfies PageMessage)
    })
    return worker
  } catch (error) {
    worker.terminate()
    throw error
  }
}

const notStarted = (url: string, why: string | undefined) =>
  `the worker ${url} did not start${why ? ` (${why})` : ''}: serve the files that ` +
  '"npx tapewright cast --pocket public/tapewright" writes, from the origin of the page'

async function sent(backend: Backend, url: string, init: RequestInit): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init
  return backend.request({
    method,
    path: url.slice(CONTROL_URL.length),
    headers: new Headers(headers),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : null,
    signal: signal ?? new AbortController().signal,
  })
}

/**
 * Warns in the console when another tab of the page has a sandbox too; the result removes this tab
 * from the count.
 */
function warnOfOtherTabs(): () => void {
  let leave = () => {}
  const held = new Promise<void>((resolve) => {
    leave = resolve
  })
  const { locks } = navigator as { locks?: Locks }
  void locks?.request('tapewright', { ifAvailable: true }, (lock) => {
    if (lock !== null) return held
    console.info(
      'tapewright: another tab has a sandbox of its own. What is set in one is not seen in the ' +
        'other: close that tab, or have both ask one server, as "npx tapewright serve" is one',
    )
    return undefined
  })
  return leave
}

/** A browser's interface, which the types of other runtimes lack. */
interface Locks {
  request(
    name: string,
    options: { ifAvailable: boolean },
    task: (lock: object | null) => Promise<void> | undefined,
  ): Promise<void>
}

/** The page's side of a worker: a peer for messages. */
interface MessagePeer {
  postMessage(message: PageMessage): void
}

/** A backend whose registry is in a worker. */
class WorkerBackend implements Backend {
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

  /** Handles a message of the worker. */
  receive(message: WorkerMessage): void {
    if ('head' in message) this.begin(message)
    else if ('chunk' in message) this.answers.get(message.chunk)?.body?.enqueue(message.bytes)
    else if ('end' in message) this.end(message)
    else if ('lost' in message) this.lose(message.lost, message.why)
    else if ('connected' in message) this.settle(message)
    else if ('frame' in message) this.sockets.get(message.frame)?.listener.frame(message.text)
    else if ('closed' in message) this.closeSocket(message.closed, message.code, message.reason)
  }

  /** Stops the backend: pending requests are lost. */
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
