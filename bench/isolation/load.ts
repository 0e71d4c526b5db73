/** A client's requests to its own sandbox while a bystander reads another. */
import { credentials } from '../../src/contract/signature.ts'
import { FrameCounter, frameOf, openSocket } from '../measure/frame-reader.ts'

export interface Load {
  /** Row name in the benchmark. */
  name: string
  /** The status of its requests, where they are refused by design or find nothing; else 200. */
  status?: 400
  /** On a server without earlier requests. */
  fresh?: true
  /** Preparation; not measured. */
  prepare?(client: LoadClient): Promise<unknown>
  /** The measured load. */
  run(client: LoadClient): Promise<unknown>
}

interface Key {
  accessKey: string
  secretKey: string
}

export interface OpenedSocket {
  socket: Bun.Socket
  counter: FrameCounter
}

/** Calls of the control plane and of the contract, in sandboxes of its own. */
export class LoadClient {
  private nonce = 0

  /**
   * @param addresses accounts of the world
   * @param status of each measured request of the load
   */
  constructor(
    readonly port: number,
    readonly addresses: readonly string[],
    private readonly status: number,
  ) {}

  /**
   * A request of the measured load. An unexpected status fails the load: a refusal would measure
   * nothing.
   */
  control(method: string, path: string, body?: object | string): Promise<string> {
    return this.expecting(this.status, method, path, body)
  }

  /** A call of the control plane that is accepted; returns its text. */
  accepted(method: string, path: string, body?: object): Promise<string> {
    return this.expecting(200, method, path, body)
  }

  private async expecting(status: number, method: string, path: string, body?: object | string) {
    const url = `http://127.0.0.1:${this.port}/_control${path}`
    const sent = typeof body === 'object' ? JSON.stringify(body) : body
    const answer = await fetch(url, { method, ...(sent === undefined ? {} : { body: sent }) })
    const text = await answer.text()
    if (answer.status === status) return text
    const excerpt = text.slice(0, 200)
    throw new Error(`${method} ${path} was answered ${answer.status}, not ${status}: ${excerpt}`)
  }

  /** Creates a sandbox; returns its key with all permissions. */
  async sandbox(options: { name: string } & Record<string, unknown>): Promise<Key> {
    return JSON.parse(await this.accepted('POST', '/sandboxes', options)).keys.full
  }

  /** A signed path and query. */
  signed({ accessKey, secretKey }: Key, path: string): string {
    const nonce = `${process.pid}-${this.nonce++}`
    const timestampS = Math.floor(Date.now() / 1000)
    const parts = credentials({ accessKey, secretKey, nonce, timestampS })
    return `/api/upgrade/v2${path}?${new URLSearchParams({ ...parts })}`
  }

  async post(key: Key, path: string, body: object): Promise<void> {
    const url = `http://127.0.0.1:${this.port}${this.signed(key, path)}`
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
  }

  /** Opens so many sockets, some hundreds at a time. */
  async sockets(key: Key, count: number): Promise<OpenedSocket[]> {
    const opened: OpenedSocket[] = []
    while (opened.length < count) {
      const batch = Math.min(SOCKETS_AT_ONCE, count - opened.length)
      opened.push(...(await Promise.all(Array.from({ length: batch }, () => this.socket(key)))))
    }
    return opened
  }

  async socket(key: Key): Promise<OpenedSocket> {
    const counter = new FrameCounter()
    return { socket: await openSocket(this.port, this.signed(key, '/hl/ws'), counter), counter }
  }
}

const SOCKETS_AT_ONCE = 250

export const subscribe = ({ socket }: OpenedSocket, subscription: object): void =>
  void socket.write(frameOf(JSON.stringify({ method: 'subscribe', subscription })))

/** Waits until each socket has received so many frames. */
export async function received(sockets: readonly OpenedSocket[], count: number): Promise<void> {
  while (sockets.some(({ counter }) => counter.frames < count)) await Bun.sleep(5)
}

/** Subscribes a socket to the books, trades and candles of many coins. */
export function subscribeWidely(opened: OpenedSocket, coins: readonly string[], count: number) {
  const wanted = coins.flatMap((coin) => [
    { type: 'l2Book', coin },
    { type: 'bbo', coin },
    { type: 'trades', coin },
    ...['1s', '5s', '15s', '1m', '15m', '1h', '4h'].map((interval) => ({
      type: 'candle',
      coin,
      interval,
    })),
    ...[2, 3, 4].map((nSigFigs) => ({ type: 'l2Book', coin, nSigFigs })),
  ])
  if (wanted.length < count) throw new Error(`there are ${wanted.length} subscriptions`)
  for (const subscription of wanted.slice(0, count)) subscribe(opened, subscription)
}

/** Coins of a sandbox's world. */
export async function coinsOf(client: LoadClient, id: string): Promise<string[]> {
  return JSON.parse(await client.accepted('GET', `/sandboxes/${id}/cast`)).coins
}
