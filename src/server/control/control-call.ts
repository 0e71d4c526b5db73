/** A call of the control plane while it is being answered: what its answer may use. */

import type { Slices } from '../../clock/turns.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Sandbox, StopReason } from '../../sandbox/sandbox.ts'
import { someNames } from '../../sandbox/some-names.ts'
import { bearerToken, type ControlRequest } from './control-route.ts'

export class ControlCall {
  /** `http://host:port` that the caller reached us at. */
  readonly origin: string
  private found: Sandbox | null = null
  /** Why its sandbox does not go on as it was. */
  private stopped: StopReason | null = null
  private readonly closings: (() => void)[] = []

  constructor(
    readonly registry: Registry,
    private readonly request: ControlRequest,
    /** What read-only guests send as their token. */
    readonly guestToken = '',
  ) {
    this.origin = request.origin
  }

  /** The sandbox named in the path, the same one throughout; a NotFoundError for none. */
  readonly sandbox = (): Sandbox => {
    if (this.found) return this.found
    const { id = '' } = this.request.params
    const sandbox = this.registry.get(id)
    if (!sandbox)
      throw new NotFoundError(`no sandbox "${id}"; there are ${someNames(this.registry.byId)}`)
    this.closings.push(
      sandbox.onStop((why) => {
        this.stopped = why
      }),
    )
    this.found = sandbox
    return sandbox
  }

  /** Looks the sandbox up anew: it may have been reset or restored while the call waited. */
  findAgain(): void {
    this.found = null
    this.stopped = null
    this.sandbox()
  }

  /** Another name in the path, decoded. */
  readonly pathParameter = (part: string): string => this.request.params[part] ?? ''

  /** The token that the caller has sent. */
  get token(): string | undefined {
    return bearerToken(this.request.headers) ?? undefined
  }

  /** Unanswered calls for the same sandbox, or for none. */
  get pending(): PendingCalls {
    return pendingCallsOf(this.owner)
  }

  /** Whose work the answer is. */
  get owner(): Sandbox | Registry {
    return this.found ?? this.registry
  }

  /** Throws when nobody waits for the answer any more, or its sandbox is no longer what it was. */
  readonly checkWanted = (): void => {
    if (this.stopped === 'gone') throw new EndedError(this.endText())
    if (this.request.signal?.aborted) throw new EndedError('the caller has gone')
  }

  /** Throws when the server ends: then nothing is worth waiting for. */
  readonly checkWaiting = (): void => {
    this.checkWanted()
    if (this.stopped === 'ending') throw new EndingError()
  }

  /** Called when `checkWaiting` would throw from now on. */
  readonly onUnwanted = (listener: () => void): void => {
    const { signal } = this.request
    signal?.addEventListener('abort', listener)
    this.closings.push(() => signal?.removeEventListener('abort', listener))
    this.closings.push(this.sandbox().onStop(listener))
  }

  /** Called when the call is answered. */
  readonly onClose = (listener: () => void): void => {
    this.closings.push(listener)
  }

  close(): void {
    for (const close of this.closings.splice(0)) close()
  }

  private endText(): string {
    const { id } = this.sandbox()
    const now = this.registry.byId.get(id)
    const what = now === this.found ? 'reset' : now ? 'restored from a snapshot' : 'dropped'
    return `sandbox "${id}" was ${what} before the call was done`
  }
}

// Calls that are not answered yet: so many at most, and some of them only one by one.

/** How many there may be: calls of any sort, of these `await`, and live journals besides. */
interface PendingMax {
  calls: number
  awaits: number
  streams: number
}
type PendingKind = keyof PendingMax

const OF_A_SANDBOX: PendingMax = { calls: 256, awaits: 64, streams: 32 }
/** Of those that name no sandbox: many may wait at once for sandboxes to be made. */
const OF_THE_PROCESS: PendingMax = { calls: 2_048, awaits: 0, streams: 0 }

const WORDING: Readonly<Record<PendingKind, string>> = {
  calls: 'calls are not answered yet',
  awaits: 'calls of await are not answered yet',
  streams: 'journals are being sent live',
}

class PendingCalls {
  private readonly counts = { calls: 0, awaits: 0, streams: 0 }
  /** The end of the latest call of those that go one by one. */
  private latest: Promise<void> = Promise.resolve()

  /** @param whose what the calls are for, in words */
  constructor(
    private readonly whose: string,
    private readonly most: PendingMax,
  ) {}

  /** One more; a BusyError when there are too many. The result takes it back, once. */
  enter(kind: PendingKind): () => void {
    const [count, max] = [this.counts[kind], this.most[kind]]
    if (count >= max)
      throw new BusyError(
        `${count} ${WORDING[kind]} for ${this.whose}, at most ${max}: wait for some to end`,
      )
    this.counts[kind]++
    let isIn = true
    return () => {
      if (isIn) this.counts[kind]--
      isIn = false
    }
  }

  /** Does work when all that came before has ended, in the order in which it came. */
  *oneByOne<T>(work: Slices<T>): Slices<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.latest
    this.latest = promise
    try {
      yield before
      return yield* work
    } finally {
      resolve()
    }
  }
}

const byOwner = new WeakMap<object, PendingCalls>()

/** Those of a sandbox, or of the process: calls that name no sandbox. */
function pendingCallsOf(owner: Sandbox | Registry): PendingCalls {
  const known = byOwner.get(owner)
  if (known) return known
  const made =
    'id' in owner
      ? new PendingCalls(`sandbox "${owner.id}"`, OF_A_SANDBOX)
      : new PendingCalls('no sandbox in particular', OF_THE_PROCESS)
  byOwner.set(owner, made)
  return made
}

// What a call of the control plane can be told besides that its request was wrong.

/** A refusal with an HTTP status of its own. */
export abstract class ControlError extends UserError {
  abstract readonly status: number
}

/** What was named does not exist. */
export class NotFoundError extends ControlError {
  readonly status = 404
}

/** What was waited for did not happen in time. */
export class TimeoutError extends ControlError {
  readonly status = 408
}

/** The sandbox was dropped, reset or replaced before the call was done. */
class EndedError extends ControlError {
  readonly status = 409
}

/** Too many calls are unanswered already. */
export class BusyError extends ControlError {
  readonly status = 429
}

/** The server ends before what was waited for has happened. */
class EndingError extends ControlError {
  readonly status = 503

  constructor() {
    super('the server is ending')
  }
}
