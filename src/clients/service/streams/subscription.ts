/** What a user of the client holds of a stream, and what is said to him. */
import { deferred } from '../../../platform/deferred.ts'
import type { ClientError } from '../errors.ts'
import type { Listener, Push, PushInfo } from './push.ts'
import { PushQueue } from './push-queue.ts'
import type { StreamEvent, StreamState } from './stream-event.ts'

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
