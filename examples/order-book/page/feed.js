/** A book that comes by itself: connected again when lost, and marked when it is old. */
import { read, socketUrl } from './service.js'

const HEARTBEAT_MS = 25_000
const WAIT_MAX_MS = 2_000

/**
 * Follows a coin's book until the page is left.
 *
 * @param show called with `{state: 'live' | 'stale' | 'away', reason?, book?}`
 */
export function followBook(keys, coin, show) {
  let attempts = 0
  const connect = async () => {
    const socket = new WebSocket(await socketUrl(keys, '/hl/ws'))
    const heartbeat = setInterval(() => socket.send('{"method":"ping"}'), HEARTBEAT_MS)
    socket.onopen = () => {
      const subscription = { type: 'l2Book', coin }
      socket.send(JSON.stringify({ method: 'subscribe', subscription }))
    }
    socket.onmessage = ({ data }) => {
      const { channel, data: book } = JSON.parse(data)
      if (channel !== 'l2Book') return
      attempts = 0
      show({ state: book.stale ? 'stale' : 'live', book })
    }
    socket.onclose = async () => {
      clearInterval(heartbeat)
      show({ state: 'away', reason: await reasonOf(keys) })
      // Each time longer, and by chance, so that a thousand pages do not come back at once.
      const waitMs = Math.min(WAIT_MAX_MS, 100 * 2 ** attempts++) * (0.5 + Math.random() / 2)
      setTimeout(connect, waitMs)
    }
  }
  connect()
}

/** Sockets do not say why they were refused; requests do. */
async function reasonOf(keys) {
  try {
    await read(keys, '/hl/tickers')
    return 'the connection was lost'
  } catch (error) {
    return error.message
  }
}
