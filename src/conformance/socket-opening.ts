/** A WebSocket as a transport has it: what came is kept until it is read, within bounds. */
import { hostClock } from '../clock/system-clock.ts'
import { webSocketClass } from '../platform/web-socket.ts'
import type { TransportSocket } from './target-transport.ts'
import type { UnreadFrames } from './unread-frames.ts'

/** Not every runtime's socket can. */
const canPing = (socket: object): socket is { ping(): void } => 'ping' in socket

/** An open socket; null when it did not open. */
export function openSocket(
  url: string,
  answerMs: number,
  unreadFrames: UnreadFrames,
): Promise<TransportSocket | null> {
  const socket = new (webSocketClass())(url)
  const frames: string[] = []
  const waiting = new Set<() => void>()
  let [closeCode, flaw]: [number | null, string | null] = [null, null]
  const unread = unreadFrames.ofSocket(frames)
  const stir = () => {
    for (const wake of [...waiting]) wake()
  }
  const stirred = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = hostClock.startTimer(ms, () => wake())
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
    if (flaw !== null) return
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
    flaw = unread.add(text.length)
    if (flaw === null) frames.push(text)
    else {
      frames.length = 0
      unread.end()
      socket.close()
    }
    stir()
  }
  const carried: TransportSocket = {
    frames,
    get closeCode() {
      return closeCode
    },
    get flaw() {
      return flaw
    },
    send: (data) => {
      if (socket.readyState === socket.OPEN) socket.send(data as string)
    },
    close: () => {
      unread.end()
      socket.close()
    },
    waitForActivity: stirred,
  }
  if (canPing(socket)) carried.ping = () => socket.ping()
  return new Promise((resolve) => {
    const cancel = hostClock.startTimer(answerMs, () => {
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
