/** The market of scripts, and an independent sandbox beside it. */
import { hostClock, type SystemClock, TIMER_MAX_MS } from '../../../src/clock/system-clock.ts'
import { credentials } from '../../../src/contract/signature.ts'
import type { Registry } from '../../../src/sandbox/registry.ts'
import { memoryTransport } from '../../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../../test/fixtures/default-recording.ts'
import { invariant } from '../fuzz-target.ts'
import { type Vocabulary, vocabularyOf } from '../vocabulary.ts'

/** Longest real wait of any timer. */
const TIMER_MOST_MS = 4
const TICK_MS = 0.05

/** A clock on which time passes only in waits, which are short. */
function hurriedClock(): SystemClock {
  let passedMs = 0
  return {
    ...hostClock,
    nowMs: () => Date.UTC(2026, 2, 4, 10, 20, 30) + passedMs,
    // Each read costs something, so that work is sliced as on a real clock.
    monotonicMs: () => {
      passedMs += TICK_MS
      return passedMs
    },
    startTimer(delayMs, task) {
      // At a minimal speed the next event lies beyond the range of dates.
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
  /** Meaningful values of its world. */
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

/** A query with a fresh signature. */
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

/** A sandbox with a held clock: equal reads always get equal responses. */
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

  /**
   * Checks that responses are unchanged, usage is exact, and the journal has only its own requests.
   */
  async check(): Promise<void> {
    const sandbox = this.registry.get(BYSTANDER_ID)
    invariant(sandbox !== undefined, () => 'the bystander is gone')
    for (const read of READS) {
      const signature = signedAt(this.systemClock, sandbox.keys.full)
      const path = `/api/upgrade/v2${read}${read.includes('?') ? '&' : '?'}${signature}`
      const { status, body } = await this.transport.request('GET', path)
      this.count++
      const answer = `${status} ${body}`
      invariant(status === 200, () => `the bystander's ${read}: ${answer.slice(0, 200)}`)
      invariant(
        (this.known.get(read) ?? answer) === answer,
        () => `the bystander's ${read} changed: ${answer.slice(0, 200)}`,
      )
      this.known.set(read, answer)
    }
    const used = sandbox.tenancy.usage.inMonth(sandbox.keys.full.accessKey, sandbox.clock.nowMs())
    const { newest } = sandbox.journal
    invariant(
      newest === this.count && used === this.count,
      () => `the bystander sent ${this.count} requests, counted ${used}, journal ${newest}`,
    )
  }
}

export const BYSTANDER_ID = 'bystander'
