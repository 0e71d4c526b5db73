/** Carries requests over HTTP and sockets over WebSocket. Every wait is bounded. */
import { machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import type { CarriedSocket, Carrier, Received } from './carrier.ts'

/** How long an answer or the opening of a socket may take, and how much of an answer is read. */
const BOUNDS = { answerMs: 15_000, mostBytes: 64 * 1024 * 1024 }

/** A carrier to a base URL, such as `http://127.0.0.1:4010`; a Complaint for what is no answer. */
export function httpCarrier(baseUrl: string, bounds: Partial<typeof BOUNDS> = {}): Carrier {
  const base = baseUrl.replace(/\/+$/, '')
  const { answerMs, mostBytes } = { ...BOUNDS, ...bounds }
  const ask = async (path: string, sent: RequestInit): Promise<Received> => {
    try {
      const signal = AbortSignal.timeout(answerMs)
      return await received(await fetch(`${base}${path}`, { ...sent, signal }), mostBytes)
    } catch (error) {
      if (error instanceof Complaint) throw error
      // Without the query, in which the credentials stand.
      throw new Complaint(`${path.split('?')[0]} is not answered (${reasonOf(error)})`)
    }
  }
  return {
    request: ({ method, path, body }) =>
      ask(path, { method, ...(body === undefined ? {} : { body, headers: JSON_BODY }) }),
    async connect(path) {
      const socket = await opened(`${base.replace(/^http/, 'ws')}${path}`, answerMs)
      // A client's socket does not show the answer that refused it, so it is asked for.
      return socket ?? ask(path, { headers: UPGRADE })
    },
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** `ConnectionRefused`, `TimeoutError`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

async function received(response: Response, mostBytes: number): Promise<Received> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.byteLength
    if (length > mostBytes) throw new Complaint(`an answer is longer than ${mostBytes} bytes`)
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  const contentType = response.headers.get('content-type') ?? ''
  const retryAfter = response.headers.get('retry-after')
  return {
    status: response.status,
    contentType,
    text,
    ...(retryAfter === null ? {} : { retryAfter }),
  }
}

/** An open socket; null when it did not open. */
function opened(url: string, answerMs: number): Promise<CarriedSocket | null> {
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
    ping: () => socket.ping(),
    close: () => socket.close(),
    stirred,
  }
  return new Promise((resolve) => {
    const cancel = machine.timer(answerMs, () => {
      socket.close()
      resolve(null)
    })
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
