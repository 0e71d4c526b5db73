/** The sandboxes of all replicas, in Redis. */
import type { Slices } from '../../clock/turns.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import type { Sandbox } from '../sandbox.ts'
import { DEFAULT_SANDBOX_ID } from '../sandbox-config.ts'
import {
  type ChangeLog,
  type ReplicaFigures,
  type SandboxHost,
  SandboxReplacedError,
  type SandboxStore,
  type SharedChanges,
  type SharedSandboxes,
  StorageError,
  type StorageObserver,
  type StorageStatus,
  type StoredSandbox,
} from '../sandbox-store.ts'
import { parseSandboxState, STATE_VERSION } from '../snapshot/sandbox-state.ts'
import { type SnapshotSource, savedOptionsOf } from '../snapshot/state-parts.ts'
import type { SavedProgress } from '../snapshot/state-schema.ts'
import type { RedisConnection } from './redis-connection.ts'
import { ENTER, READ, REMOVE, WRITE } from './redis-scripts.ts'
import { type ReplicaHost, SandboxReplica, type StoredPlace } from './sandbox-replica.ts'
import { STORE_FORMAT, StoreRefusedError, storeKey } from './server-checks.ts'
import { countText, partsOf, type StoredParts, storedStateOf } from './stored-parts.ts'

/** What all replicas of a store must have in common. */
export interface StoreIdentity {
  /** Version of the program. */
  program: string
  /** Digest of the tape with the seed. */
  world: string
}

export class RedisStore implements SandboxStore, SharedSandboxes, ReplicaHost {
  readonly shared = this
  readonly numberedCount = 0
  private host: SandboxHost | null = null
  /** Number of this replica, in the order in which they joined. */
  private number = ''
  private madeCount = 0
  /** Names the content of the store: another one means that it was emptied. */
  private epoch = ''
  private readonly loading = new Map<string, Promise<void>>()
  /** Places of the sandboxes that are read, until they are restored. */
  private readonly read = new Map<string, { place: StoredPlace; parts: StoredParts }>()
  private readonly syncing = new Set<string>()
  private readonly renewing = new Map<string, Promise<void>>()

  constructor(
    readonly connection: RedisConnection,
    /** The market of a state. */
    private readonly market: (sandbox: Sandbox, progress: SavedProgress) => Promise<LoadedWorld>,
  ) {}

  get figures(): ReplicaFigures {
    return this.connection
  }

  get status(): StorageStatus {
    return this.connection
  }

  reportTo(observer: StorageObserver): void {
    this.connection.reportTo(observer)
  }

  /** Sandboxes are restored when they are named. */
  sandboxes(): StoredSandbox[] {
    return []
  }

  /** Joins the other replicas; a StoreRefusedError when this one differs from them. */
  async enter(identity: StoreIdentity): Promise<void> {
    const { connection } = this
    const { prefix, shown } = connection.address
    const wanted = { format: STORE_FORMAT, state: String(STATE_VERSION), ...identity }
    const marker = storeKey(prefix)
    const fields = Object.entries(wanted).flat()
    const found = entriesOf(await connection.call(ENTER, [marker], fields))
    for (const [name, value] of Object.entries(wanted)) {
      const theirs = found.get(name)
      if (theirs !== undefined && theirs !== value)
        throw new StoreRefusedError(
          `the replicas of ${shown} (prefix ${prefix}) have ${name} ${theirs}, this one has ` +
            `${value}: start it like them, or name another prefix`,
        )
    }
    this.number = await this.uniqueNumber()
    this.epoch = found.get('epoch') ?? ''
    this.identity = identity
  }

  private identity: StoreIdentity = { program: '', world: '' }

  async join(host: SandboxHost): Promise<void> {
    this.host = host
    this.connection.follow(
      (id) => this.announced(id),
      () => this.reconnected(),
    )
    await this.load(DEFAULT_SANDBOX_ID)
    if (!host.byId.has(DEFAULT_SANDBOX_ID)) await this.makeDefault()
  }

  // Finding sandboxes.

  prepare(id: string | undefined, name: string | undefined): Promise<void> | undefined {
    const { host } = this
    if (!host) return undefined
    if (id !== undefined) return host.byId.has(id) ? undefined : this.load(id)
    if (name === undefined || host.ownsName(name)) return undefined
    return this.loadOwner(name, host)
  }

  /** The owner may be here already, and the name new. */
  private async loadOwner(name: string, host: SandboxHost): Promise<void> {
    if (name.length > NAME_LENGTH_MAX) return
    const id = await this.connection.command('HGET', [this.namesKey, name])
    if (typeof id !== 'string') return
    if (!host.byId.has(id)) return this.load(id)
    await host.run(id, (shared) => shared.catchUp())
  }

  async prepareAll(): Promise<void> {
    const ids = (await this.connection.command('SMEMBERS', [this.idsKey])) as Iterable<string>
    for (const id of [...ids].sort()) if (!this.host?.byId.has(id)) await this.load(id)
  }

  async nextNumber(): Promise<number> {
    const key = `{${this.connection.address.prefix}}:numbered`
    return Number(await this.connection.command('INCR', [key]))
  }

  private load(id: string): Promise<void> {
    const known = this.loading.get(id)
    if (known) return known
    const loading = this.readAndRestore(id).finally(() => this.loading.delete(id))
    this.loading.set(id, loading)
    return loading
  }

  private async readAndRestore(id: string): Promise<void> {
    const keys = this.keysOf(id)
    const answer = (await this.connection.call(READ, keys, [])) as [unknown, unknown]
    const [fields, counts] = [entriesOf(answer[0]), entriesOf(answer[1])]
    const generation = fields.get('generation')
    if (generation === undefined) return
    const parts = storedParts(fields)
    const place = { keys, generation, head: fields.get('head') ?? '', id: fields.get('id') ?? '' }
    const state = storedStateOf(
      parts,
      [...counts].map(([name, text]) => ({ name, text })),
    )
    const from = JSON.parse(parts.get('made/')?.text ?? '{}').from ?? null
    this.read.set(id, { place, parts })
    try {
      await this.host?.restore({ id, state, snapshot: from && parseSandboxState(from) })
    } finally {
      this.read.delete(id)
    }
  }

  // Storing whole sandboxes.

  async add(sandbox: SnapshotSource): Promise<ChangeLog> {
    const { id } = sandbox
    const known = await this.connection.call(READ, this.keysOf(id), [])
    const fields = entriesOf((known as [unknown, unknown])[0])
    // In place of another one, as after a snapshot was restored.
    const before = this.host?.byId.has(id) ? (fields.get('generation') ?? '') : ''
    const { place, parts } = await this.write(sandbox as Sandbox, before)
    await this.connection.command('SADD', [this.idsKey, id])
    await this.claimAll(sandbox as Sandbox)
    return new SandboxReplica(sandbox as Sandbox, this, place, parts)
  }

  reopen(sandbox: SnapshotSource): ChangeLog {
    const read = this.read.get(sandbox.id)
    if (!read) throw new Error(`sandbox "${sandbox.id}" was not read`)
    return new SandboxReplica(sandbox as Sandbox, this, read.place, read.parts)
  }

  async remove(id: string): Promise<void> {
    const names = [
      ...((this.host?.byId.get(id)?.tenancy.keys ?? new Map()) as Map<string, unknown>).keys(),
    ]
    await this.connection.command('SREM', [this.idsKey, id])
    await this.connection.call(REMOVE, this.keysOf(id), [this.connection.channel, id])
    if (names.length > 0) await this.connection.command('HDEL', [this.namesKey, ...names])
  }

  async rewrite(sandbox: Sandbox, place: StoredPlace) {
    const written = await this.write(sandbox, place.generation)
    await this.claimAll(sandbox)
    return written
  }

  private async write(sandbox: Sandbox, before: string) {
    const { id, world, config } = sandbox
    const keys = this.keysOf(id)
    const parts = partsOf(sandbox)
    const made = {
      version: STATE_VERSION,
      world: world.id,
      options: savedOptionsOf(sandbox),
      from: config.snapshot,
    }
    parts.set('made/', { order: 0, text: JSON.stringify(made) })
    const place = { keys, generation: this.newId(), head: '1', id: this.newId() }
    const fields = [...parts].flatMap(([field, { order, text }]) => [field, `${order}|${text}`])
    const counts = [...sandbox.tenancy.usage.names()].flatMap((name) => [
      name,
      countText(sandbox.tenancy.usage.countOf(name)),
    ])
    const [kind] = (await this.connection.call(WRITE, keys, [
      ...[before, place.generation, place.id, this.connection.channel, id],
      ...[String(parts.size), ...fields, ...counts],
    ])) as string[]
    if (kind === 'current') return { place, parts }
    if (before === '') throw new StorageError(`there is a sandbox "${id}" already`)
    throw new SandboxReplacedError(id)
  }

  close(): void {
    this.connection.close()
  }

  // What replicas of sandboxes need.

  newId(): string {
    return `${this.number}.${++this.madeCount}`
  }

  /** The first owner of a name keeps it. */
  async claim(sandbox: string, names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map((name) => this.connection.command('HSETNX', [this.namesKey, name, sandbox])),
    )
  }

  marketOf(sandbox: Sandbox) {
    return (progress: SavedProgress) => this.market(sandbox, progress)
  }

  private claimAll({ id, tenancy }: Sandbox): Promise<void> {
    return this.claim(id, [...tenancy.keys.keys(), ...tenancy.invites.keys()])
  }

  // Following the others.

  /** A sandbox of this replica was changed by any of them. */
  private announced(id: string): void {
    const { host } = this
    if (!host?.byId.has(id) || this.syncing.has(id)) return
    this.syncing.add(id)
    const done = () => this.syncing.delete(id)
    // One more change may arrive while the first is read: then it is announced again.
    const follow = function* (shared: SharedChanges): Slices<void> {
      done()
      yield* shared.catchUp()
    }
    host
      .run(id, follow)
      .catch((error) => this.renewAfter(id, error))
      .finally(done)
  }

  private async renewAfter(id: string, error: unknown): Promise<void> {
    if (!(error instanceof StorageError)) throw error
    if (error instanceof SandboxReplacedError) await this.renew(id).catch(ignoredAway)
  }

  /** One at a time: a second one must not replace what the first has made, or others since. */
  renew(id: string): Promise<void> {
    const present = this.renewing.get(id)
    if (present) return present
    const renewing = this.renewed(id).finally(() => this.renewing.delete(id))
    this.renewing.set(id, renewing)
    return renewing
  }

  private async renewed(id: string): Promise<void> {
    await this.checkEpoch()
    const known = await this.connection.command('EXISTS', [this.keysOf(id)[0] as string])
    if (Number(known) === 1) return this.load(id)
    this.host?.remove(id)
    if (id !== DEFAULT_SANDBOX_ID) return
    await this.makeDefault()
  }

  /** Another replica may make it at the same time. */
  private async makeDefault(): Promise<void> {
    try {
      await this.host?.createDefault()
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      await this.load(DEFAULT_SANDBOX_ID)
    }
  }

  /** Everything may have happened while it was away. */
  private async reconnected(): Promise<void> {
    await this.checkEpoch()
    for (const id of [...(this.host?.byId.keys() ?? [])]) this.announced(id)
  }

  /** A store without its marker was emptied: the replicas begin anew. */
  private async checkEpoch(): Promise<void> {
    const { connection, identity } = this
    const epoch = (await this.fields(storeKey(connection.address.prefix))).get('epoch')
    if (epoch === this.epoch) return
    connection.log(
      `the store ${connection.file} was emptied: all sandboxes, keys and counts are gone, and ` +
        'the default sandbox begins anew',
    )
    await this.enter(identity)
  }

  // Keys and names.

  /** The three keys of a sandbox, in one place of a cluster. */
  private keysOf(id: string): string[] {
    const tag = `{${this.connection.address.prefix}:${id}}`
    return [`${tag}:state`, `${tag}:log`, `${tag}:usage`]
  }

  private get namesKey(): string {
    return `{${this.connection.address.prefix}}:names`
  }

  private get idsKey(): string {
    return `{${this.connection.address.prefix}}:sandboxes`
  }

  private async uniqueNumber(): Promise<string> {
    const key = `{${this.connection.address.prefix}}:replicas`
    const number = await this.connection.command('INCR', [key])
    // Numbers begin anew in a store that was emptied.
    const [seconds, micros] = (await this.connection.command('TIME', [])) as [string, string]
    return `${seconds}.${micros}-${number}`
  }

  private async fields(key: string): Promise<Map<string, string>> {
    return entriesOf(await this.connection.command('HGETALL', [key]))
  }
}

/** Longer names are of no key. */
const NAME_LENGTH_MAX = 1_000

const ignoredAway = (error: unknown) => {
  if (!(error instanceof StorageError)) throw error
}

/** The entries of a hash: an object from a command, a list from a function. */
function entriesOf(answer: unknown): Map<string, string> {
  if (!Array.isArray(answer)) return new Map(Object.entries((answer ?? {}) as object))
  const entries = new Map<string, string>()
  for (let at = 0; at < answer.length; at += 2)
    entries.set(String(answer[at]), String(answer[at + 1]))
  return entries
}

function storedParts(fields: ReadonlyMap<string, string>): StoredParts {
  const parts: StoredParts = new Map()
  for (const [field, value] of fields) {
    const at = value.indexOf('|')
    if (field.includes('/'))
      parts.set(field, { order: Number(value.slice(0, at)), text: value.slice(at + 1) })
  }
  return parts
}
