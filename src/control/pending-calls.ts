/** Calls that are not answered yet: so many at most, and some of them only one by one. */
import type { Slices } from '../clock/turns.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { BusyError } from './control-errors.ts'

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

export class PendingCalls {
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
export function pendingCallsOf(owner: Sandbox | Registry): PendingCalls {
  const known = byOwner.get(owner)
  if (known) return known
  const made =
    'id' in owner
      ? new PendingCalls(`sandbox "${owner.id}"`, OF_A_SANDBOX)
      : new PendingCalls('no sandbox in particular', OF_THE_PROCESS)
  byOwner.set(owner, made)
  return made
}
