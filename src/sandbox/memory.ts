/**
 * Bytes that are kept for tenants, by what keeps them: charged as they are taken and given back as
 * they go, for each sandbox and for the process; and the one bound of the process, which counts all
 * that it uses.
 */
import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'

/**
 * What keeps bytes: `queues` are frames that wait for clients and messages of theirs that wait for
 * their turn, `faults` pushes and answers that a scenario holds back or sends slowly, `records`
 * keys, levels, invites and alerts, `calls` texts of live journals and snapshots under way.
 */
export type MemoryHolder = 'journal' | 'queues' | 'faults' | 'scenarios' | 'records' | 'calls'

export type HeldBytes = Record<MemoryHolder, number>

const nothing = (): HeldBytes => ({
  journal: 0,
  queues: 0,
  faults: 0,
  scenarios: 0,
  records: 0,
  calls: 0,
})

const totalOf = ({ journal, queues, faults, scenarios, records, calls }: HeldBytes) =>
  journal + queues + faults + scenarios + records + calls

/** Bytes of one sandbox; texts count a byte for each UTF-16 unit. */
const SANDBOX_BOUND_BYTES = 256 << 20

/** What a server on one world takes with some sandboxes and a market that goes on, bytes. */
export const SERVING_BYTES = 256e6

/** What work may use of memory: as `--memory` says, or what the container or the machine has. */
export interface MemoryLimit {
  bytes: number
  isFlag: boolean
}

/** Work that is not begun without so much memory. */
export interface MemoryNeed {
  /** As the subject of "needs". */
  work: string
  bytes: number
  /** What else can be done than to give more. */
  otherwise?: string
}

/** Throws a UserError where the system would end the work for want of memory. */
export function checkMemory({ work, bytes, otherwise }: MemoryNeed, limit: MemoryLimit): void {
  if (limit.bytes >= bytes) return
  const source = limit.isFlag ? '--memory allows' : 'this process may use'
  const more = limit.isFlag
    ? 'raise --memory'
    : 'give its container more, as docker run --memory 1g'
  throw new UserError(
    `${work} needs at least ${bytes / 1e6} MB of memory, and ${source} ` +
      `${Math.floor(limit.bytes / 1e6)} MB: ${more}${otherwise ? `, or ${otherwise}` : ''}`,
  )
}

/**
 * What a server may use, bytes, and what the castings that it starts may, which are processes of
 * their own: by default half of the machine, and all of it. A UserError where that is too little.
 * @param given by `--memory`: bytes, or a share of `machineBytes`
 * @param machineBytes what the container or the machine has
 */
export function servingMemory(
  given: number | `${number}%` | undefined,
  machineBytes: number,
): { boundBytes: number; casting: MemoryLimit } {
  const serving = { work: 'a server', bytes: SERVING_BYTES }
  const machine = { bytes: machineBytes, isFlag: false }
  checkMemory(serving, machine)
  if (given === undefined)
    return { boundBytes: Math.max(machineBytes / 2, SERVING_BYTES), casting: machine }
  const bytes =
    typeof given === 'number'
      ? Math.min(given, machineBytes)
      : (Number.parseInt(given, 10) / 100) * machineBytes
  const limit = { bytes, isFlag: true }
  checkMemory(serving, limit)
  return { boundBytes: bytes, casting: limit }
}

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

/** What a record takes besides its texts, bytes: its objects, and the names of its fields. */
const RECORD_OVERHEAD_BYTES = 200

/** Records of one run of a sandbox, which are charged while it is the run that is kept. */
export class KeptRecords {
  private readonly bytesById = new Map<string, number>()
  private bytes = 0
  private memory: SandboxMemory | null = null

  /** From now on its records are those that the sandbox keeps, in place of all others. */
  chargeTo(memory: SandboxMemory): void {
    this.memory = memory
    memory.set('records', this.bytes)
  }

  /** A record is kept in place of the one of that id. */
  put(id: string, record: object): void {
    this.change(id, bytesOf(record))
  }

  remove(id: string): void {
    this.change(id, 0)
  }

  /** Why such a record cannot be added; null when it can. */
  flaw(record: object): string | null {
    if (this.memory?.hasRoomFor(bytesOf(record)) ?? true) return null
    return 'there is no memory for it: delete keys, levels or alerts, or clear the journal'
  }

  private change(id: string, bytes: number): void {
    const added = bytes - (this.bytesById.get(id) ?? 0)
    if (bytes === 0) this.bytesById.delete(id)
    else this.bytesById.set(id, bytes)
    this.bytes += added
    this.memory?.add('records', added)
  }
}

/** Sets are written as lists. */
const bytesOf = (record: object): number =>
  RECORD_OVERHEAD_BYTES +
  JSON.stringify(record, (_, value) => (value instanceof Set ? [...value] : value)).length
