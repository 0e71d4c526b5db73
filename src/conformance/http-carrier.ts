/** A target behind HTTP and WebSocket. Every wait is bounded, and so is every answer. */
import type { Machine } from '../clock/machine.ts'
import type { CarriedSocket, Carrier, Received } from './carrier.ts'
import { Finding } from './probe.ts'

const ANSWER_MS = 15_000
/** More of an answer, or more frames, are not read. */
const MOST_BYTES = 16 << 20
const MOST_FRAMES = 100_000

/** @param base where the service is, with or without the base of a sandbox */
export function httpCarrier(base: string, by: Machine): Carrier {
  const origin = base.replace(/\/+$/, '')
  return {
    async request({ method, path, body }) {
      const abort = new AbortController()
      const cancel = by.timer(ANSWER_MS, () => abort.abort())
      try {
        const answer = await fetch(`${origin}${path}`, {
          ...{ method, signal: abort.signal },
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        })
        const text = await textOf(answer)
        return {
          status: answer.status,
          contentType: answer.headers.get('content-type') ?? '',
          text,
        }
      } catch (error) {
        if (error instanceof Finding) throw error
        throw new Finding(abort.signal.aborted ? `no answer in ${ANSWER_MS} ms` : reason(error))
      } finally {
        cancel()
      }
    },
    connect: (path) => opened(origin, path, by),
  }
}

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Finding(`an answer has more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The runtime's word for it, without the address: a signature is in that. */
function reason(error: unknown): string {
  const { code } = error as { code?: string }
  return `the target cannot be reached${code === undefined ? '' : ` (${code})`}`
}

/** A socket, or what plain HTTP says where none is opened. */
async function opened(
  origin: string,
  path: string,
  by: Machine,
): Promise<CarriedSocket | Received> {
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}${path}`)
  const isOpen = await new Promise<boolean>((resolve) => {
    const cancel = by.timer(ANSWER_MS, () => resolve(false))
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
    socket.addEventListener('close', () => {
      cancel()
      resolve(false)
    })
  })
  if (isOpen) return carriedBy(socket, by)
  socket.close()
  return httpCarrier(origin, by).request({ method: 'GET', path })
}

function carriedBy(socket: WebSocket, by: Machine): CarriedSocket {
  const frames: string[] = []
  let closeCode: number | null = null
  let wake = () => {}
  socket.onmessage = ({ data }) => {
    if (frames.length < MOST_FRAMES) frames.push(String(data))
    wake()
  }
  socket.onclose = ({ code }) => {
    closeCode = code
    wake()
  }
  return {
    frames,
    get closeCode() {
      return closeCode
    },
    send: (data) => socket.send(data),
    close: () => socket.close(),
    stirred: (ms) =>
      frames.length > 0 || closeCode !== null
        ? Promise.resolve()
        : new Promise((resolve) => {
            const cancel = by.timer(ms, resolve)
            wake = () => {
              cancel()
              resolve()
            }
          }),
  }
}
