/** Carries requests over HTTP and sockets over WebSocket. Every wait is bounded. */
import { machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import type { CarriedSocket, Carrier, Received } from './carrier.ts'

/** How long an answer or the opening of a socket may take, ms. */
const ANSWER_MS = 15_000

/** More than this of an answer is not read. */
const MOST_BYTES = 64 * 1024 * 1024

/** A carrier to a base URL, such as `http://127.0.0.1:4010`. */
export function httpCarrier(baseUrl: string): Carrier {
  const base = baseUrl.replace(/\/+$/, '')
  const request: Carrier['request'] = async ({ method, path, body }) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = { method, headers, ...(body === undefined ? {} : { body }) }
    return received(await asked(`${base}${path}`, sent))
  }
  return {
    request,
    async connect(path) {
      const socket = await opened(`${base.replace(/^http/, 'ws')}${path}`)
      // A browser's socket does not tell the answer that refused it: it is asked for again.
      return socket ?? received(await asked(`${base}${path}`, { headers: UPGRADE }))
    },
  }
}

const UPGRADE = {
  ...{ connection: 'Upgrade', upgrade: 'websocket' },
  ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
}

async function asked(url: string, sent: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...sent, signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (error) {
    const { pathname } = new URL(url)
    throw new Complaint(`${pathname} is not answered: ${error instanceof Error ? error.name : ''}`)
  }
}

async function received(response: Response): Promise<Received> {
  const length = Number(response.headers.get('content-length') ?? 0)
  if (length > MOST_BYTES) throw new Complaint(`an answer of ${length} bytes is not read`)
  const text = await response.text()
  const contentType = response.headers.get('content-type') ?? ''
  return { status: response.status, contentType, text }
}

/** An open socket; null when it did not open. */
function opened(url: string): Promise<CarriedSocket | null> {
  const socket = new WebSocket(url)
  const frames: string[] = []
  const waiting = new Set<() => void>()
  let closeCode: number | null = null
  const stir = () => {
    for (const wake of [...waiting]) wake()
  }
  const stirred = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = machine.timer(ms, () => wake())
      const wake = () => {
        cancel()
        waiting.delete(wake)
        resolve()
      }
      waiting.add(wake)
      if (frames.length > 0 || closeCode !== null) wake()
    })
  socket.binaryType = 'arraybuffer'
  socket.onmessage = ({ data }) => {
    frames.push(typeof data === 'string' ? data : new TextDecoder().decode(data))
    stir()
  }
  const carried: CarriedSocket = {
    frames,
    get closeCode() {
      return closeCode
    },
    send: (data) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data)
    },
    close: () => socket.close(),
    stirred,
  }
  return new Promise((resolve) => {
    const cancel = machine.timer(ANSWER_MS, () => resolve(null))
    socket.onopen = () => {
      cancel()
      resolve(carried)
    }
    socket.onclose = ({ code }) => {
      cancel()
      closeCode = code
      stir()
      resolve(null)
    }
  })
}
