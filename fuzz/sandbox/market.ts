/** The market that scripts are put to, and the sandbox beside it that must not notice. */
import { hostClock, type SystemClock, TIMER_MAX_MS } from '../../src/clock/system-clock.ts'
import { credentials } from '../../src/contract/signature.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../test/fixtures/default-recording.ts'
import { invariant } from '../fuzz-target.ts'
import { type Vocabulary, vocabularyOf } from '../vocabulary.ts'

/** However long a timer is, it goes off this soon, and time has then passed. */
const TIMER_MOST_MS = 4
const TICK_MS = 0.05

/** A machine on which time passes only by waiting for it, and waiting is short. */
function hurriedClock(): SystemClock {
  let passedMs = 0
  return {
    ...hostClock,
    nowMs: () => Date.UTC(2026, 2, 4, 10, 20, 30) + passedMs,
    // Each look at it costs something, so that work is cut into slices as it is on a real one.
    monotonicMs: () => {
      passedMs += TICK_MS
      return passedMs
    },
    startTimer(delayMs, task) {
      // At a speed of nearly nothing the next event is further away than dates go.
      const dueMs = passedMs + Math.min(TIMER_MAX_MS, Math.max(0, delayMs))
      return hostClock.startTimer(Math.min(TIMER_MOST_MS, delayMs), () => {
        passedMs = Math.max(passedMs, dueMs)
        task()
      })
    },
  }
}

export interface Market {
  registry: Registry
  systemClock: SystemClock
  transport: ReturnType<typeof memoryTransport>
  /** What means something in its world. */
  words: Vocabulary
  bystander: Bystander
}

export async function openMarket(): Promise<Market> {
  const systemClock = hurriedClock()
  const { registry, cast } = await recordedRegistry({}, systemClock)
  const transport = memoryTransport(registry)
  const bystander = new Bystander(registry, transport, systemClock)
  await bystander.open()
  return { registry, systemClock, transport, words: vocabularyOf(cast()), bystander }
}

let nonce = 0

/** A query signed now. */
export function signedAt(
  systemClock: SystemClock,
  key: { accessKey: string; secretKey: string },
  ageS = 0,
): string {
  const timestampS = Math.floor(systemClock.nowMs() / 1000) - ageS
  return new URLSearchParams({
    ...credentials({ ...key, nonce: `f${nonce++}`, timestampS }),
  }).toString()
}

const READS = ['/hl/tickers', '/hl/open-interest/summary', '/hl/klines-with-taker-vol/BTC/1m']

/** A sandbox with a held clock: the same reads get the same answers for ever. */
class Bystander {
  private readonly known = new Map<string, string>()
  private count = 0

  constructor(
    private readonly registry: Registry,
    private readonly transport: ReturnType<typeof memoryTransport>,
    private readonly systemClock: SystemClock,
  ) {}

  async open(): Promise<void> {
    await this.registry.create({ name: BYSTANDER_ID, clock: 'held' })
    await this.check()
  }

  /** It is answered as ever, counted exactly, and its journal holds its own requests only. */
  async check(): Promise<void> {
    const sandbox = this.registry.get(BYSTANDER_ID)
    invariant(sandbox !== undefined, () => 'the bystander is gone')
    for (const read of READS) {
      const signature = signedAt(this.systemClock, sandbox.keys.full)
      const path = `/api/upgrade/v2${read}${read.includes('?') ? '&' : '?'}${signature}`
      const { status, body } = await this.transport.request('GET', path)
      this.count++
      const told = `${status} ${body}`
      invariant(status === 200, () => `the bystander's ${read}: ${told.slice(0, 200)}`)
      invariant(
        (this.known.get(read) ?? told) === told,
        () => `the bystander's ${read} changed: ${told.slice(0, 200)}`,
      )
      this.known.set(read, told)
    }
    const used = sandbox.tenancy.usage.inMonth(sandbox.keys.full.accessKey, sandbox.clock.nowMs())
    const { newest } = sandbox.journal
    invariant(
      newest === this.count && used === this.count,
      () => `the bystander asked ${this.count} times, counted ${used}, journal ${newest}`,
    )
  }
}

export const BYSTANDER_ID = 'bystander'
