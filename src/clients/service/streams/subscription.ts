/** What a user of the client holds of a stream, and what is said to him. */
import { deferred } from '../../../platform/deferred.ts'
import type { ClientError } from '../errors.ts'
import { type Listener, type Push, type PushInfo, PushQueue } from './push-queue.ts'

export interface SubscribeOptions {
  /** What is said of the stream besides its pushes. */
  onEvent?: ((event: StreamEvent) => void) | undefined
}

/** One user's hold of a stream. Iterating gives what comes from then on, until it is closed. */
export interface Subscription<D = unknown> extends AsyncIterable<Push<D>> {
  /** Once the service has acknowledged it; rejects with a ClientError when it does not. */
  readonly ready: Promise<void>
  readonly state: StreamState
  /** Ends it. */
  close(): void
}

/** A subscription as its stream sees it. */
export class Subscriber implements Subscription {
  private readonly settling = deferred<void>()
  private readonly queues = new Set<PushQueue>()
  private isClosed = false
  readonly ready = this.settling.promise

  constructor(
    private readonly owner: { readonly state: StreamState; drop(one: Subscriber): void },
    private readonly listener: Listener<never> | null,
    private readonly options: SubscribeOptions,
    private readonly onFailure: (error: unknown) => void,
  ) {
    // Whoever does not await it must not get an unhandled rejection.
    this.ready.catch(() => {})
  }

  get state(): StreamState {
    return this.isClosed ? 'closed' : this.owner.state
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.owner.drop(this)
    for (const queue of this.queues) queue.end()
    this.tell({ type: 'closed' })
  }

  /** @internal */
  settle(error: ClientError | null): void {
    if (error) this.settling.reject(error)
    else this.settling.resolve()
  }

  /** @internal A listener that throws harms nobody else. */
  push(data: unknown, info: PushInfo): void {
    if (this.listener) this.guarded(() => this.listener?.(data as never, info))
    for (const queue of this.queues) {
      const { stale, isSnapshot, isBackfill } = info
      const dropped = queue.put({ data, stale, isSnapshot, isBackfill })
      if (dropped) this.tell({ type: 'gap', fromMs: null, toMs: null, reason: dropped })
    }
  }

  /** @internal */
  tell(event: StreamEvent): void {
    this.guarded(() => this.options.onEvent?.(event))
  }

  [Symbol.asyncIterator](): AsyncIterator<Push<never>> {
    const queue = new PushQueue(() => this.queues.delete(queue))
    if (this.isClosed) queue.end()
    else this.queues.add(queue)
    return queue as AsyncIterator<Push<never>>
  }

  private guarded(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.onFailure(error)
    }
  }
}

// What can be said of a stream besides what it pushes.

/** Times are the service's own, of what was pushed, ms; null where nothing has been pushed. */
export type StreamEvent =
  /** It is followed; said again when a stale or silent one has come to life. */
  | { type: 'live' }
  /** Its state has expired: it says so itself, or its time stands while it is sent again. */
  | { type: 'stale'; sinceMs: number | null }
  /** Nothing new has come for so long, though the connection answers. */
  | { type: 'silent'; forMs: number; sinceMs: number | null }
  /** Its connection is gone, and is tried again after `retryMs`; null for never. */
  | { type: 'lost'; code: number; retryMs: number | null }
  /** It is followed again; `filled` is how many elements were fetched of what was missed. */
  | { type: 'resumed'; fromMs: number | null; toMs: number | null; filled: number }
  /** What happened between is missing, and could not be fetched. */
  | { type: 'gap'; fromMs: number | null; toMs: number | null; reason: string }
  /** A push that is not as the contract says, and was not passed on. */
  | { type: 'invalid'; path: string; expected: string }
  /** The service does not let it be followed. */
  | { type: 'refused'; reason: string; error: ClientError }
  /** This subscription, or the whole client, was closed. */
  | { type: 'closed' }

/** What a stream is like now. */
export type StreamState = 'waiting' | 'live' | 'stale' | 'silent' | 'lost' | 'refused' | 'closed'

/** What the client has to know of a channel to ask for it. */
export interface ChannelCall {
  /** As frames name it. */
  id: string
  /** Of the socket, relative to the prefix. */
  path: string
  /** Fields that make two subscriptions the same one. */
  key: readonly string[]
  /** Whether it is subscribed to by an object, else by addresses. */
  isOfficial: boolean
  /** Whether one connection can have several. */
  isCounted: boolean
  /** What is pushed is a whole state, which the next push replaces. */
  isState: boolean
}

/** A channel out of its line: `/hl/ws coin,interval counted state`. */
export function channelCall(id: string, line: string): ChannelCall {
  const [path = '', key = '', ...words] = line.split(' ')
  return {
    id,
    path,
    key: key.split(','),
    isOfficial: path === '/hl/ws',
    isCounted: words.includes('counted'),
    isState: words.includes('state'),
  }
}
