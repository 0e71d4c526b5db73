/**
 * Accounts of the memory that is held for tenants, by holder, for each sandbox and for the process,
 * and the bound of the process.
 */
import type { SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'

/**
 * Holders of memory: `queues` are frames and messages that wait, `faults` pushes and responses that
 * a scenario delays, `records` keys, levels, invites and alerts, `calls` texts of live journals,
 * pending snapshots and answers that are compared.
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

/** Memory of a server on one world with some sandboxes and a market that continues, bytes. */
export const SERVING_BYTES = 256e6

/** The memory limit of work: from `--memory`, the container or the machine. */
export interface MemoryLimit {
  bytes: number
  isFlag: boolean
}

/** The memory that work requires to begin. */
export interface MemoryNeed {
  /** The subject of "needs" in the message. */
  work: string
  bytes: number
  /** Another remedy than more memory. */
  otherwise?: string
}

/** Throws a UserError where the system would kill the work for lack of memory. */
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
 * The memory limit of a server, bytes, and that of its castings, which are separate processes: half
 * of the machine and all of it by default. A UserError when that is too little.
 * @param given value of `--memory`: bytes, or a share of `machineBytes`
 * @param machineBytes memory of the container or the machine
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

/** New work is refused, as the process has reached its memory bound: HTTP 503. */
export class MemoryError extends UserError {}

export interface ProcessMemorySettings {
  /** Maximum memory of the process, bytes; unbounded by default. */
  boundBytes?: number
  /** Resident memory of the process, bytes. */
  residentBytes?: () => number
  /** Runs the garbage collector. */
  collect?: () => void
}

/** Validity of a measurement of the process's memory, ms. */
const MEASURE_MS = 100
/** Minimum time between two collections, ms: collecting blocks the thread. */
const COLLECT_MS = 5_000

export class ProcessMemory {
  readonly held = nothing()
  readonly boundBytes: number
  /** Count of refused work. */
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

  /** Bound of all tenants: half of the process's, as worlds and responses need the rest. */
  get tenantBoundBytes(): number {
    return this.boundBytes / 2
  }

  get heldBytes(): number {
    return totalOf(this.held)
  }

  /** Whether all journals together have reached their share, an eighth of the bound. */
  get areJournalsFull(): boolean {
    return this.held.journal > this.boundBytes / 8
  }

  /** Memory of the process, bytes; at most a tenth of a second old. */
  get usedBytes(): number {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs - this.seen.atMs >= MEASURE_MS)
      this.seen = { atMs: nowMs, bytes: this.residentBytes() }
    return this.seen.bytes
  }

  /** Throws a MemoryError when no new work is accepted. */
  checkRoom(): void {
    const why = this.refusal()
    if (why !== null) throw new MemoryError(why)
  }

  /** Why no new work is accepted; null while there is room. */
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

/** The memory of one sandbox. */
export class SandboxMemory {
  readonly held = nothing()
  readonly boundBytes = SANDBOX_BOUND_BYTES
  /** Whether it was dropped: then everything has been released already. */
  private isReleased = false

  constructor(readonly whole: ProcessMemory) {}

  get heldBytes(): number {
    return totalOf(this.held)
  }

  /** Adds a number of bytes, which may be negative. */
  add(holder: MemoryHolder, bytes: number): void {
    if (this.isReleased) return
    this.held[holder] += bytes
    this.whole.held[holder] += bytes
  }

  /** Sets the bytes of a holder. */
  set(holder: MemoryHolder, bytes: number): void {
    this.add(holder, bytes - this.held[holder])
  }

  /** Whether so many more bytes are within the bounds of the sandbox and of the process. */
  hasRoomFor(bytes: number): boolean {
    return (
      totalOf(this.held) + bytes <= this.boundBytes &&
      totalOf(this.whole.held) + bytes <= this.whole.tenantBoundBytes
    )
  }

  /** Releases everything, once. */
  release(): void {
    for (const holder of Object.keys(this.held) as MemoryHolder[])
      this.add(holder, -this.held[holder])
    this.isReleased = true
  }
}

/** Bytes of a record besides its texts: its objects and field names. */
const RECORD_OVERHEAD_BYTES = 200

/** The records of one run, charged while that run is the sandbox's. */
export class KeptRecords {
  private readonly bytesById = new Map<string, number>()
  private bytes = 0
  private memory: SandboxMemory | null = null

  /** Charges these records to the sandbox, in place of all others. */
  chargeTo(memory: SandboxMemory): void {
    this.memory = memory
    memory.set('records', this.bytes)
  }

  /** Adds a record, or replaces that of the same id. */
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

/** Sets are serialised as lists. */
const bytesOf = (record: object): number =>
  RECORD_OVERHEAD_BYTES +
  JSON.stringify(record, (_, value) => (value instanceof Set ? [...value] : value)).length
