/** A socket of the runtime, and groups of them by its own way to publish. */
import type { ServerWebSocket } from 'bun'
import type { SocketConnection, SocketGroup } from '../../session/socket-connection.ts'

export type BunSocket = ServerWebSocket<unknown>

/** What publishes to all sockets of a topic. */
export interface Publisher {
  publish(topic: string, text: string): number
}

/** Topics are counted per server. */
const topicCounts = new WeakMap<Publisher, number>()

export class BunConnection implements SocketConnection {
  constructor(
    readonly ws: BunSocket,
    readonly server: Publisher,
  ) {}

  send(frames: readonly string[]): void {
    const { ws } = this
    // Corked, many frames become one write.
    if (frames.length === 1) ws.sendText(frames[0] as string)
    else
      ws.cork(() => {
        for (const frame of frames) ws.sendText(frame)
      })
  }

  pendingBytes(): number {
    return this.ws.getBufferedAmount()
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason)
  }

  terminate(): void {
    this.ws.terminate()
  }

  /** Whoever is sent something by itself is sent first what was published before. */
  openGroup(): SocketGroup {
    const { server } = this
    const number = (topicCounts.get(server) ?? 0) + 1
    topicCounts.set(server, number)
    const topic = String(number)
    return {
      add(connection) {
        const isOurs = connection instanceof BunConnection && connection.server === server
        if (isOurs) connection.ws.subscribe(topic)
        return isOurs
      },
      remove(connection) {
        if (connection instanceof BunConnection) connection.ws.unsubscribe(topic)
      },
      send(frames) {
        for (const frame of frames) server.publish(topic, frame)
      },
    }
  }
}
