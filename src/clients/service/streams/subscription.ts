/** A subscription of a user, and its events. */
import { deferred } from '../../../platform/deferred.ts'
import type { ClientError } from '../errors.ts'

export interface SubscribeOptions {
  /** Called with the events of the stream besides its pushes. */
  onEvent?: ((event: StreamEvent) => void) | undefined
}

/**
 * A user's subscription to a stream. Iterating yields later pushes until it is closed; it throws a
 * ClientError once the subscription is refused for good.
 */
export interface Subscription<D = unknown> extends AsyncIterable<Push<D>> {
  /** Resolves once the service has acknowledged it; rejects with a ClientError when it does not. */
  readonly ready: Promise<void>
  readonly state: StreamState
  /** Ends it. */
  close(): void
}

/** The stream's side of a subscription. */
export class Subscriber implements Subscription {
  private readonly settling = deferred<void>()
  private readonly queues = new Set<PushQueue>()
  private isClosed = false
  private failure: ClientError | null = null
  readonly ready = this.settling.promise

  constructor(
    private readonly owner: { readonly state: StreamState; drop(one: Subscriber): void },
    private readonly listener: Listener<never> | null,
    private readonly options: SubscribeOptions,
    private readonly onFailure: (error: unknown) => void,
  ) {
    // A user who does not await it must not get an unhandled rejection.
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
    this.emit({ type: 'closed' })
  }

  /** @internal */
  settle(error: ClientError | null): void {
    if (error) this.settling.reject(error)
    else this.settling.resolve()
  }

  /** @internal Nothing will come any more: who waits for a push gets the error. */
  fail(error: ClientError): void {
    this.settle(error)
    this.failure = error
    for (const queue of this.queues) queue.fail(error)
  }

  /** @internal An error of a listener does not affect other subscribers. */
  push(data: unknown, info: PushInfo): void {
    if (this.listener) this.guarded(() => this.listener?.(data as never, info))
    for (const queue of this.queues) {
      const { stale, isSnapshot, isBackfill } = info
      const dropped = queue.put({ data, stale, isSnapshot, isBackfill })
      if (dropped) this.emit({ type: 'gap', fromMs: null, toMs: null, reason: dropped })
    }
  }

  /** @internal */
  emit(event: StreamEvent): void {
    this.guarded(() => this.options.onEvent?.(event))
  }

  [Symbol.asyncIterator](): AsyncIterator<Push<never>> {
    const queue = new PushQueue(() => this.queues.delete(queue))
    if (this.isClosed) queue.end()
    else if (this.failure) queue.fail(this.failure)
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

// The events of a stream besides its pushes.

/** Times are the service's own, of pushes, ms; null without a push. */
export type StreamEvent =
  /** It is followed; repeated after it was stale or silent. */
  | { type: 'live' }
  /** Its state has expired: it is marked so, or its time stands still while it is repeated. */
  | { type: 'stale'; sinceMs: number | null }
  /** No news for so long, though the connection responds. */
  | { type: 'silent'; forMs: number; sinceMs: number | null }
  /** Its connection is lost, and is retried after `retryMs`; null for never. */
  | { type: 'lost'; code: number; retryMs: number | null }
  /** It is followed again; `filled` is the number of missed elements that were fetched. */
  | { type: 'resumed'; fromMs: number | null; toMs: number | null; filled: number }
  /** Events in between are missing, and could not be fetched. */
  | { type: 'gap'; fromMs: number | null; toMs: number | null; reason: string }
  /** A push that violates the contract, and was not passed on. */
  | { type: 'invalid'; path: string; expected: string }
  /** The service has refused it. */
  | { type: 'refused'; reason: string; error: ClientError }
  /** This subscription, or the whole client, was closed. */
  | { type: 'closed' }

/** The present state of a stream. */
export type StreamState = 'waiting' | 'live' | 'stale' | 'silent' | 'lost' | 'refused' | 'closed'

/** The properties of a channel that its client needs. */
export interface ChannelCall {
  /** Its name in frames. */
  id: string
  /** Of the socket, relative to the prefix. */
  path: string
  /** Fields by which two subscriptions are equal. */
  key: readonly string[]
  /** Whether a subscription is an object, or a list of addresses. */
  isOfficial: boolean
  /** Whether one connection can have several. */
  isCounted: boolean
  /** A push is a whole state, which the next push replaces. */
  isState: boolean
}

/** Parses the line of a channel: `/hl/ws coin,interval counted state`. */
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

/** Pushes that wait for iteration. */
/** Maximum number of waiting pushes: beyond it the oldest are dropped and reported. */
const PUSHES_MAX = 10_000

export class PushQueue implements AsyncIterator<Push<unknown>> {
  private pushes: Push<unknown>[] = []
  private waiting: ReturnType<typeof deferred<IteratorResult<Push<unknown>>>>[] = []
  private hasEnded = false
  private failure: ClientError | null = null

  constructor(private readonly onReturn: () => void) {}

  /** Why pushes were dropped for it; null where none was. */
  put(push: Push<unknown>): string | null {
    const wake = this.waiting.shift()
    if (wake) wake.resolve({ done: false, value: push })
    else this.pushes.push(push)
    if (this.pushes.length <= PUSHES_MAX) return null
    this.pushes = this.pushes.slice(PUSHES_MAX / 2)
    return `${PUSHES_MAX} pushes wait to be read: half were dropped`
  }

  next(): Promise<IteratorResult<Push<unknown>>> {
    const value = this.pushes.shift()
    if (value) return Promise.resolve({ done: false, value })
    const { failure } = this
    this.failure = null
    if (failure) return Promise.reject(failure)
    if (this.hasEnded) return Promise.resolve({ done: true, value: undefined })
    const wake = deferred<IteratorResult<Push<unknown>>>()
    this.waiting.push(wake)
    return wake.promise
  }

  return(): Promise<IteratorResult<Push<unknown>>> {
    this.onReturn()
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Discards the waiting pushes. */
  end(): void {
    this.hasEnded = true
    this.pushes = []
    for (const wake of this.waiting.splice(0)) wake.resolve({ done: true, value: undefined })
  }

  /** Ends it with an error, after the waiting pushes: the next reader gets it, once. */
  fail(error: ClientError): void {
    const first = this.waiting.shift()
    if (first) first.reject(error)
    else this.failure = error
    const { pushes } = this
    this.end()
    this.pushes = pushes
  }
}

// Pushes and their metadata.

/** The metadata of a push. */
export interface PushInfo {
  /** The state has expired: a book that is not to be traded on. */
  stale: boolean
  /** The state at subscription, not a change. */
  isSnapshot: boolean
  /** Fetched, or sent again by the service, after it was missed. */
  isBackfill: boolean
}

export type Listener<D> = (data: D, info: PushInfo) => void

/** A push in iteration. */
export interface Push<D> extends PushInfo {
  data: D
}
