/** An HTTP and socket proxy in front of a service, with a delay in each direction. */
import { hostClock } from '../../src/clock/system-clock.ts'
import { upgradeResponse } from '../../src/conformance/http-transport.ts'
import type { RateLimit } from './rate-limit.ts'

/** A forwarded connection, each direction in order. */
interface Passage {
  upstream: WebSocket
  /** Messages of the service; passed to the client after the opening. */
  hear: (listener: Listener) => void
  toService: (task: () => void) => void
}

interface Listener {
  frame(data: string | ArrayBuffer): void
  end(code: number): void
}

/**
 * @param delayMs delay of the next message: half an exchange of HTTP, a frame
 * @param limit applies to requests and openings of sockets alike
 */
export function slowProxy(origin: string, delayMs: () => number, limit: RateLimit = () => null) {
  const pause = () =>
    new Promise<void>((resolve) => void hostClock.startTimer(delayMs(), () => resolve()))
  const server = Bun.serve<Passage>({
    port: 0,
    idleTimeout: 0,
    async fetch(request, self) {
      const { pathname, search } = new URL(request.url)
      const place = `${origin}${pathname}${search}`
      const body = request.method === 'GET' ? null : await request.arrayBuffer()
      await pause()
      const refused = limit()
      if (refused) return refused
      if (request.headers.get('upgrade') === 'websocket') {
        const data = await openPassage(place, pause)
        if (data && self.upgrade(request, { data })) return undefined
        return upgradeResponse(place, ANSWER_MS, MOST_BYTES)
      }
      const headers = passedOn(request.headers, ['content-type', 'host'])
      const answer = await fetch(place, { method: request.method, body, headers }).catch(() => null)
      if (answer === null) return new Response('the service has closed it', { status: 502 })
      const whole = await answer.arrayBuffer()
      await pause()
      return new Response(whole, {
        status: answer.status,
        headers: passedOn(answer.headers, ANSWERED),
      })
    },
    websocket: {
      maxPayloadLength: 16 << 20,
      open(socket) {
        const inOrder = queue(pause)
        socket.data.hear({
          frame: (data) => inOrder(() => void socket.send(data)),
          // 1006 cannot be sent as a code: the connection is cut.
          end: (code) => inOrder(() => (code === 1006 ? socket.terminate() : socket.close(code))),
        })
      },
      message({ data: { upstream, toService } }, message) {
        toService(() => upstream.send(message as string))
      },
      close: ({ data: { upstream } }) => upstream.close(),
    },
  })
  return { url: `http://localhost:${server.port}`, stop: () => server.stop(true) }
}

const [ANSWER_MS, MOST_BYTES] = [60_000, 16 << 20]

const ANSWERED = ['content-type', 'retry-after']

const passedOn = (headers: Headers, names: readonly string[]) =>
  [...headers].filter(([name]) => names.includes(name))

/** Runs tasks in order, each after a pause that starts when it is queued. */
function queue(pause: () => Promise<void>) {
  let last = Promise.resolve()
  return (task: () => void) => {
    const due = pause()
    last = last.then(() => due).then(task)
  }
}

/** A connection to the service; null when it refuses one. */
function openPassage(place: string, pause: () => Promise<void>): Promise<Passage | null> {
  const upstream = new WebSocket(place.replace(/^http/, 'ws'))
  upstream.binaryType = 'arraybuffer'
  const early: ((listener: Listener) => void)[] = []
  let hearing: Listener | null = null
  const tell = (one: (listener: Listener) => void) => {
    if (hearing) one(hearing)
    else early.push(one)
  }
  upstream.onmessage = ({ data }) => tell((listener) => listener.frame(data))
  const hear = (listener: Listener) => {
    hearing = listener
    for (const one of early.splice(0)) one(listener)
  }
  return new Promise((resolve) => {
    upstream.onopen = () => resolve({ upstream, hear, toService: queue(pause) })
    upstream.onclose = ({ code }) => {
      tell((listener) => listener.end(code))
      resolve(null)
    }
  })
}
