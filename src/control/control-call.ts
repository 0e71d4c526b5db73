/** A call of the control plane while it is being answered: what its answer may use. */
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { someNames } from '../sandbox/some-names.ts'
import type { StopReason } from '../sandbox/stop-listeners.ts'
import { EndedError, EndingError, NotFoundError } from './control-errors.ts'
import type { ControlRequest } from './control-route.ts'
import { type PendingCalls, pendingCallsOf } from './pending-calls.ts'

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
    return /^Bearer (.+)$/.exec(this.request.headers.get('authorization') ?? '')?.[1]
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
