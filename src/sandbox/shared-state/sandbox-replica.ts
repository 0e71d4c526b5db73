/**
 * A sandbox that other replicas have too. Every request first learns, in one round trip, whether
 * another replica has changed it; then it is answered by the present state. A change is stored only
 * as the next one after the state that it was made in.
 */
import { minuteOf, monthOf, nextMonthMs } from '../../clock/instant.ts'
import { awaited, type Slices } from '../../clock/turns.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import type { Sandbox } from '../sandbox.ts'
import {
  type Admission,
  type ChangeLog,
  SandboxReplacedError,
  type SharedChanges,
  StoreAwayError,
} from '../sandbox-store.ts'
import type { SandboxState } from '../snapshot/sandbox-state.ts'
import { type PartKind, STATE_PARTS, savedProgressOf } from '../snapshot/state-parts.ts'
import type { SavedProgress } from '../snapshot/state-schema.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import { distributorCounterName } from '../tenancy/tenancy.ts'
import { AccessGate } from './access-gate.ts'
import { applyParts, followClock, type MarketOf, type PartChange } from './part-application.ts'
import type { RedisConnection } from './redis-connection.ts'
import { BEGIN, COMMIT } from './redis-scripts.ts'
import {
  countOf,
  countText,
  isSame,
  partChange,
  type StoredParts,
  storedStateOf,
} from './stored-parts.ts'

/** Where the parts of a sandbox are in Redis, and which change of it is the latest here. */
export interface StoredPlace {
  keys: readonly string[]
  generation: string
  head: string
  id: string
}

/** A part in a log: its field, its number, and its JSON; null where it is gone. */
type LoggedPart = [field: string, order: number, text: string | null]

/** What replicas of one store have in common here. */
export interface ReplicaHost {
  readonly connection: RedisConnection
  /** A name for a change, the same for no two of all replicas. */
  newId(): string
  /** The names of access keys and invite tokens that a sandbox has from now on. */
  claim(sandbox: string, names: readonly string[]): Promise<void>
  /** Stores a sandbox anew after a reset; returns its place. */
  rewrite(sandbox: Sandbox, place: StoredPlace): Promise<{ place: StoredPlace; parts: StoredParts }>
  marketOf(sandbox: Sandbox): MarketOf
}

/** Exclusive work: its request is counted once, however often it runs. */
interface Held {
  counted: Admission | null
}

/** Another replica was first. */
class ConflictError extends Error {}

/** Attempts to make a change before it is given up. */
const ATTEMPTS_MAX = 50
/** Reads that count nothing go on for so long without the store, ms. */
export const READS_WITHOUT_STORE_MS = 60_000

export class SandboxReplica implements ChangeLog, SharedChanges {
  readonly shared = this
  private readonly gate = new AccessGate()
  private readonly marked = new Map<PartKind, Set<string>>()
  private isReplaced = false
  private isApplying = false
  /** The exclusive work at present; null once its changes cannot be undone. */
  private held: Held | null = null

  constructor(
    private readonly sandbox: Sandbox,
    private readonly host: ReplicaHost,
    private place: StoredPlace,
    private parts: StoredParts,
  ) {}

  // The change log: changes are marked here, and stored at the end of exclusive work.

  markChanged(kind: PartKind, id: string): void {
    if (this.isApplying) return
    const ids = this.marked.get(kind)
    if (ids) ids.add(id)
    else this.marked.set(kind, new Set([id]))
  }

  commit(): void {}

  flush(): void {}

  replace(): void {
    this.isReplaced = true
  }

  stored(): SandboxState {
    return storedStateOf(this.parts)
  }

  discard(): void {
    this.marked.clear()
    this.isReplaced = false
  }

  // Requests.

  *admit(
    authorize: () => Admission['caller'],
    isExclusive: boolean,
    early?: Admission,
  ): Slices<Admission> {
    if (isExclusive) return yield* this.admitHeld(authorize)
    if (early && early.by === this.place && !this.gate.isClosed) return early
    for (;;) {
      yield* this.gate.enter()
      try {
        const admission = yield* awaited(this.admitted(authorize, early))
        if (admission) return admission
      } finally {
        this.gate.leave()
      }
      yield* this.catchUp()
    }
  }

  async admitEarly(authorize: () => Admission['caller']): Promise<Admission | undefined> {
    if (!this.gate.tryEnter()) return undefined
    try {
      return await this.admitted(authorize)
    } finally {
      this.gate.leave()
    }
  }

  /**
   * Undefined where another replica has changed the sandbox, and then nothing was counted.
   *
   * @param counted an admission of the same request
   */
  private async admitted(
    authorize: () => Admission['caller'],
    counted?: Admission,
  ): Promise<Admission | undefined> {
    const caller = authorize()
    const by = this.place
    try {
      const reply = await this.begin(isRefusal(caller) || counted ? null : caller)
      if (!reply.isCurrent) return undefined
      return { caller, overLimit: counted ? counted.overLimit : reply.overLimit, by }
    } catch (error) {
      if (error instanceof StoreAwayError && this.mayAnswerAway(caller))
        return { caller, overLimit: null, by }
      throw error
    }
  }

  /** What needs no counting is answered for some time without the store. */
  private mayAnswerAway(caller: Admission['caller']): boolean {
    return caller === null && this.host.connection.awayMs < READS_WITHOUT_STORE_MS
  }

  private *admitHeld(authorize: () => Admission['caller']): Slices<Admission> {
    const caller = authorize()
    // A request that runs again was counted already.
    if (this.held?.counted) return { ...this.held.counted, caller }
    const reply = yield* awaited(this.begin(isRefusal(caller) ? null : caller))
    if (!reply.isCurrent) throw new ConflictError()
    const admission = { caller, overLimit: reply.overLimit, by: this.place }
    if (this.held) this.held.counted = admission
    return admission
  }

  *exclusive<T>(work: () => Slices<T>): Slices<T> {
    yield* this.gate.lock()
    const held: Held = { counted: null }
    this.held = held
    try {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        yield* this.applyMissing()
        const done = yield* this.attempt(held, work)
        if (done) return done.of
      }
      throw new StoreAwayError(
        'nothing was changed: other replicas change this sandbox all the time',
      )
    } finally {
      if (this.held === held) this.release()
      else yield* this.storeRest()
    }
  }

  /** null when another replica was first, and everything was undone. */
  private *attempt<T>(held: Held, work: () => Slices<T>): Slices<{ of: T } | null> {
    const { changes } = this.sandbox
    changes.hold()
    try {
      const of = yield* work()
      if (this.held !== held) return { of }
      yield* this.store()
      changes.release()
      return { of }
    } catch (error) {
      if (this.held !== held) throw error
      changes.drop()
      yield* this.undo()
      if (error instanceof ConflictError) return null
      throw error
    }
  }

  *storeEarly(): Slices<void> {
    if (!this.held) return
    yield* this.store()
    this.sandbox.changes.release()
    // Others go on meanwhile: a move may take long.
    this.release()
  }

  *settleClock(): Slices<void> {
    const stored = this.parts.get('progress/clock')
    if (stored) yield* followClock(this.sandbox, JSON.parse(stored.text))
  }

  *catchUp(): Slices<void> {
    yield* this.gate.lock()
    try {
      yield* this.applyMissing()
    } finally {
      this.gate.unlock()
    }
  }

  private release(): void {
    this.held = null
    this.gate.unlock()
  }

  /** What a move has changed after its destination was stored. */
  private *storeRest(): Slices<void> {
    yield* this.gate.lock()
    try {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        yield* this.applyMissing()
        try {
          return yield* this.store()
        } catch (error) {
          if (!(error instanceof ConflictError)) return
        }
      }
    } finally {
      this.gate.unlock()
    }
  }

  // Reading and writing.

  /** Asks for what is missing, and counts a request of a key. */
  private async begin(key: ApiKey | null, wantsCounts = false): Promise<BeginReply> {
    const { sandbox, place } = this
    const { config, tenancy, clock } = sandbox
    const nowMs = clock.nowMs()
    const isMetered = config.metering !== 'off'
    const limit = (most: number | null) => String(isMetered && most !== null ? most : -1)
    const counters: string[] = []
    if (key) {
      const { ratePerMinute, monthlyQuota } = sandbox.limitsOf(key)
      counters.push(key.accessKey, limit(ratePerMinute), limit(monthlyQuota))
      const owner = key.distributor === null ? undefined : tenancy.distributors.get(key.distributor)
      if (key.distributor !== null)
        counters.push(
          distributorCounterName(key.distributor),
          '-1',
          limit(owner?.maxTotalQuota ?? null),
        )
    }
    const { generation, head, id } = place
    const args = [
      ...[generation, head, id, wantsCounts ? '1' : '0', String(config.options.idleMs ?? 0)],
      ...[String(monthOf(nowMs)), String(minuteOf(nowMs)), ...counters],
    ]
    const answer = (await this.host.connection.call(BEGIN, place.keys, args)) as string[]
    const [kind = '', reached, ...rest] = answer
    if (kind !== 'current') return this.behind(kind, answer.slice(1))
    for (let at = 0; at < rest.length; at += 2)
      tenancy.usage.put(rest[at] as string, countOf(rest[at + 1] as string))
    return { isCurrent: true, overLimit: key && limitRefusal(Number(reached), sandbox, key, nowMs) }
  }

  private behind(kind: string, entries: string[]): BeginReply {
    const { connection } = this.host
    if (kind === 'behind') return { isCurrent: false, entries }
    if (kind === 'back')
      connection.log(
        `the store ${connection.file} has gone back, sandbox "${this.sandbox.id}" lost changes ` +
          'that were answered: it continues from what is stored',
      )
    throw new SandboxReplacedError(this.sandbox.id)
  }

  private *applyMissing(): Slices<void> {
    for (;;) {
      const reply = yield* awaited(this.begin(null, true))
      if (reply.isCurrent) return
      yield* this.applyEntries(reply.entries)
    }
  }

  /** Each change by itself: between two of them the market may have played. */
  private *applyEntries(entries: readonly string[]): Slices<void> {
    for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
      const [number = '', id = '', text = '[]', atMs] = entries.slice(at, at + ENTRY_LENGTH)
      const logged = JSON.parse(text) as LoggedPart[]
      for (const [field, order, value] of logged) {
        if (value === null) this.parts.delete(field)
        else this.parts.set(field, { order, text: value })
      }
      this.place = { ...this.place, head: number.replace(/-.*/, ''), id }
      yield* this.apply(logged.map(([field, , value]) => partChange(field, value)))
      const { connection } = this.host
      connection.lagMs = Math.max(0, connection.clock.nowMs() - Number(atMs))
    }
  }

  private *apply(changes: readonly PartChange[]): Slices<void> {
    this.isApplying = true
    try {
      yield* applyParts(this.sandbox, changes, this.host.marketOf(this.sandbox))
    } finally {
      this.isApplying = false
    }
  }

  /** Takes back what was changed here and is not stored. */
  private *undo(): Slices<void> {
    if (this.isReplaced) throw new SandboxReplacedError(this.sandbox.id)
    const fields = [...this.changedParts(), ...this.changedProgress()].map(([field]) => field)
    for (const name of this.marked.get('usage') ?? []) fields.push(`usage/${name}`)
    this.discard()
    yield* this.apply(fields.map((field) => partChange(field, this.parts.get(field)?.text ?? null)))
  }

  /** Stores what was changed; a ConflictError when another replica was first. */
  private *store(): Slices<void> {
    if (this.isReplaced) return yield* this.storeAnew()
    const logged = [...this.changedParts(), ...this.changedProgress()]
    const counts = [...(this.marked.get('usage') ?? [])]
    if (logged.length === 0 && counts.length === 0) return this.discard()
    yield* awaited(this.write(logged, counts))
    for (const [field, order, text] of logged) {
      if (text === null) this.parts.delete(field)
      else this.parts.set(field, { order, text })
    }
    this.discard()
  }

  private async write(logged: readonly LoggedPart[], counts: readonly string[]): Promise<void> {
    const { sandbox, host, place } = this
    const { connection } = host
    const next = { ...place, head: String(Number(place.head) + 1), id: host.newId() }
    const names = logged
      .filter(([field, , text]) => text !== null && !this.parts.has(field))
      .flatMap(([field]) => /^(?:key|invite)\/(.*)$/s.exec(field)?.[1] ?? [])
    const fields = logged.flatMap(([field, order, text]) => [
      field,
      text === null ? '' : `${order}|${text}`,
    ])
    const counted = counts.flatMap((name) => [name, countText(sandbox.tenancy.usage.countOf(name))])
    const args = [
      ...[place.generation, place.head, place.id, next.head, next.id, JSON.stringify(logged)],
      ...[connection.channel, sandbox.id, String(logged.length), ...fields, ...counted],
    ]
    const [answer] = await Promise.all([
      connection.call(COMMIT, place.keys, args),
      host.claim(sandbox.id, names),
    ])
    const [kind = ''] = answer as string[]
    if (kind === 'behind') {
      connection.conflicts++
      throw new ConflictError()
    }
    if (kind !== 'current') this.behind(kind, [])
    connection.commits++
    this.place = next
  }

  private *storeAnew(): Slices<void> {
    const { place, parts } = yield* awaited(this.host.rewrite(this.sandbox, this.place))
    this.place = place
    this.parts = parts
    this.discard()
  }

  private changedParts(): LoggedPart[] {
    const logged: LoggedPart[] = []
    for (const [kind, ids] of this.marked) {
      if (kind === 'progress' || kind === 'usage') continue
      for (const id of ids) {
        const value = STATE_PARTS[kind].read(this.sandbox, id)
        this.addChanged(logged, `${kind}/${id}`, value === undefined ? null : JSON.stringify(value))
      }
    }
    return logged
  }

  /** The fields of the progress that were changed, and did not move by themselves. */
  private changedProgress(): LoggedPart[] {
    const logged: LoggedPart[] = []
    const progress = savedProgressOf(this.sandbox)
    for (const [name, value] of Object.entries(progress)) {
      const text = JSON.stringify(value)
      const stored = this.parts.get(`progress/${name}`)
      if (stored && isSame(name as keyof SavedProgress, stored.text, text, this.sandbox)) continue
      this.addChanged(logged, `progress/${name}`, text)
    }
    return logged
  }

  private addChanged(logged: LoggedPart[], field: string, text: string | null): void {
    const stored = this.parts.get(field)
    if ((stored?.text ?? null) === text) return
    const order = stored?.order ?? (Number(this.place.head) + 1) * ORDER_STEP + logged.length
    logged.push([field, order, text])
  }
}

/** Number, id, parts and time of an entry. */
const ENTRY_LENGTH = 4

/** Numbers of parts that one change may add. */
const ORDER_STEP = 100_000

type BeginReply =
  | { isCurrent: true; overLimit: Refusal | null }
  | { isCurrent: false; entries: string[] }

function limitRefusal(
  reached: number,
  sandbox: Sandbox,
  key: ApiKey,
  nowMs: number,
): Refusal | null {
  if (reached === 0) return null
  if (reached === 2)
    return { refused: 'quota', retryAfterS: Math.ceil((nextMonthMs(nowMs) - nowMs) / 1000) }
  const perMinute = sandbox.limitsOf(key).ratePerMinute ?? 0
  return { refused: 'rate', perMinute, retryAfterS: 60 - (Math.floor(nowMs / 1000) % 60) }
}
