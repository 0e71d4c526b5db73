/**
 * Bytes that are kept for tenants, by what keeps them: charged as they are taken and given back as
 * they go, for each sandbox and for the process; and the one bound of the process, which counts all
 * that it uses.
 */
import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'

/** What keeps bytes: `faults` are pushes and answers that a scenario holds back or sends slowly. */
export type MemoryHolder = 'journal' | 'queues' | 'faults' | 'scenarios'

export type HeldBytes = Record<MemoryHolder, number>

const nothing = (): HeldBytes => ({ journal: 0, queues: 0, faults: 0, scenarios: 0 })

const totalOf = (held: HeldBytes) => held.journal + held.queues + held.faults + held.scenarios

/** Bytes of one sandbox; texts count a byte for each UTF-16 unit. */
const SANDBOX_BOUND_BYTES = 256 << 20

/** New work is refused, as the process is at its bound: HTTP 503. */
export class MemoryError extends UserError {}

export interface ProcessMemorySettings {
  /** What the process may use, bytes; unbounded by default. */
  boundBytes?: number
  /** What it uses, bytes, as the system counts it. */
  residentBytes?: () => number
  /** Gives back what is garbage. */
  collect?: () => void
}

/** So long a look at what the process uses is good for, ms. */
const LOOK_MS = 100
/** Collecting holds the thread: not more often than this, ms. */
const COLLECT_MS = 5_000

export class ProcessMemory {
  readonly held = nothing()
  readonly boundBytes: number
  /** Work that was refused. */
  refusedCount = 0
  private readonly residentBytes: () => number
  private readonly collect: () => void
  private seen = { atMs: Number.NEGATIVE_INFINITY, bytes: 0 }
  private collectedMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly systemClock: Pick<SystemClock, 'monotonicMs'>,
    settings: ProcessMemorySettings = {},
  ) {
    this.boundBytes = settings.boundBytes ?? Number.POSITIVE_INFINITY
    this.residentBytes = settings.residentBytes ?? (() => 0)
    this.collect = settings.collect ?? (() => {})
  }

  /** What tenants may hold together: half of all, as worlds and answers need the rest. */
  get tenantBoundBytes(): number {
    return this.boundBytes / 2
  }

  get heldBytes(): number {
    return totalOf(this.held)
  }

  /** Whether all journals together have reached their share, an eighth of all. */
  get areJournalsFull(): boolean {
    return this.held.journal > this.boundBytes / 8
  }

  /** What the process uses, bytes; at most a tenth of a second old. */
  get usedBytes(): number {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs - this.seen.atMs >= LOOK_MS) this.seen = { atMs: nowMs, bytes: this.residentBytes() }
    return this.seen.bytes
  }

  /** A MemoryError when no new work is taken. */
  checkRoom(): void {
    const why = this.refusal()
    if (why !== null) throw new MemoryError(why)
  }

  /** Why no new work is taken; null while there is room. */
  refusal(): string | null {
    const isFull = () => this.usedBytes > this.boundBytes
    if (isFull()) this.collectGarbage()
    if (!isFull()) return null
    this.refusedCount++
    const [used, bound] = [this.usedBytes, this.boundBytes].map((bytes) => Math.round(bytes / 1e6))
    return (
      `the server uses ${used} MB of memory, at most ${bound} (serve --memory): ` +
      'drop sandboxes, close sockets, or give it more'
    )
  }

  private collectGarbage(): void {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs - this.collectedMs < COLLECT_MS) return
    this.collectedMs = nowMs
    this.collect()
    this.seen = { atMs: nowMs, bytes: this.residentBytes() }
  }
}

/** What one sandbox keeps. */
export class SandboxMemory {
  readonly held = nothing()
  readonly boundBytes = SANDBOX_BOUND_BYTES
  /** Whether it was dropped: what is given back after that was given back already. */
  private isReleased = false

  constructor(readonly whole: ProcessMemory) {}

  get heldBytes(): number {
    return totalOf(this.held)
  }

  /** So many bytes more, or fewer. */
  add(holder: MemoryHolder, bytes: number): void {
    if (this.isReleased) return
    this.held[holder] += bytes
    this.whole.held[holder] += bytes
  }

  /** So many bytes from now on, whatever there were. */
  set(holder: MemoryHolder, bytes: number): void {
    this.add(holder, bytes - this.held[holder])
  }

  /** Whether so many more bytes keep the bounds of the sandbox and of the process. */
  hasRoomFor(bytes: number): boolean {
    return (
      totalOf(this.held) + bytes <= this.boundBytes &&
      totalOf(this.whole.held) + bytes <= this.whole.tenantBoundBytes
    )
  }

  /** Gives everything back, once and for all. */
  release(): void {
    for (const holder of Object.keys(this.held) as MemoryHolder[])
      this.add(holder, -this.held[holder])
    this.isReleased = true
  }
}
