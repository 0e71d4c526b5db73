/** A sandbox in a web page, without a server: its world and all that answers are in a worker. */
import { type Control, control, type SandboxControl } from '../control-client/control.ts'
import type { CreatedSandbox, SandboxFields } from '../control-client/records.ts'
import { type SandboxClock, sandboxClock } from '../embedding/sandbox-clock.ts'
import type { Backend } from '../transport/msw/backend.ts'
import { UserError } from '../user-error.ts'
import { missingFeatures } from './browser-features.ts'
import type { PageMessage, WorkerMessage } from './messages.ts'
import { tellOfOthers } from './other-tabs.ts'
import { POCKET_FILES } from './pocket-files.ts'
import { WorkerBackend } from './worker-backend.ts'

export interface PocketSandboxOptions
  extends Omit<SandboxFields, 'name' | 'tape' | 'seed' | 'idleS'> {
  /** URL of the folder that `tapewright cast --pocket` has written (`/tapewright/`). */
  files?: string | undefined
}

/** For `handlers` of `tapewright/msw`, as what `createSandbox` gives. */
export interface PocketSandbox extends Backend {
  readonly id: string
  /** `demo` and the other keys that every default sandbox has. */
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
 * @throws UserError when the files are not served, or the browser lacks what is needed
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
  const leave = tellOfOthers()
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

/** Of the page. */
declare const location: { href: string }

/** Nothing listens there: what is sent to it goes to the worker. */
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
      // Of a script that cannot be loaded a browser tells nothing.
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
