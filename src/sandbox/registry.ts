/** All sandboxes of the process, and which one a request belongs to. */
import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import { Turns } from '../clock/turns.ts'
import { UserError } from '../platform/user-error.ts'
import { type LoadedWorld, type WorldProvider, worldOf } from './loaded-world.ts'
import { optionsFor, tellFromStart } from './market-events/scenario-coins.ts'
import { ProcessMemory } from './memory.ts'
import { ServerMetrics } from './metrics/server-metrics.ts'
import { type NumberedEntries, NumberedMap } from './numbered-map.ts'
import { Sandbox } from './sandbox.ts'
import type { SandboxOptions } from './sandbox-config.ts'
import {
  checkSandboxId,
  DEFAULT_SANDBOX_ID,
  type SandboxConfig,
  sandboxConfigOf,
} from './sandbox-config.ts'
import {
  type SandboxStore,
  StorageError,
  type StorageStatus,
  type StoredSandbox,
  storeSandbox,
} from './sandbox-store.ts'
import { NO_SCENARIOS, type ScenarioLibrary } from './scenario/scenario-list.ts'
import { SignatureRefusalLog } from './signature-diagnosis.ts'
import { optionsOf } from './snapshot/restoration.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import { NO_STORIES, type StoryLibrary } from './story/story-list.ts'
import { initialTenancyOf } from './tenancy/initial-tenancy.ts'
import type { ClaimName } from './tenancy/tenancy.ts'

export class Registry {
  private readonly sandboxes: SandboxMap
  private readonly nameOwners = new NameOwners()
  private numberedCount = 0
  private store: SandboxStore | null = null
  /** Turns of the thread, for the work of all sandboxes. */
  readonly turns: Turns
  stories: StoryLibrary = NO_STORIES
  /** What the process keeps and uses; unbounded until a server says otherwise. */
  memory: ProcessMemory
  /** Where is written why signatures were not accepted. */
  readonly log: SignatureRefusalLog

  /**
   * @param actions what level `basic` of a new sandbox grants
   * @param defaults what a sandbox is when its options do not say
   */
  constructor(
    readonly worlds: WorldProvider,
    private readonly actions: readonly string[],
    private readonly defaults: SandboxOptions = {},
    readonly systemClock: SystemClock = hostClock,
    private readonly writeLog: (line: string) => void = () => {},
    readonly library: ScenarioLibrary = NO_SCENARIOS,
    maxSandboxes = SANDBOXES_MAX,
    readonly metrics = new ServerMetrics(systemClock),
  ) {
    this.sandboxes = new SandboxMap(maxSandboxes)
    this.turns = new Turns(systemClock)
    this.memory = new ProcessMemory(systemClock)
    this.log = new SignatureRefusalLog(writeLog, systemClock)
  }

  /** Restores what was stored, and makes the default sandbox with the demo keys if need be. */
  async open(store: SandboxStore | null = null): Promise<Sandbox> {
    this.store = store
    store?.reportTo({ systemClock: this.systemClock, log: this.writeLog })
    this.numberedCount = store?.numberedCount ?? 0
    for (const stored of store?.sandboxes() ?? []) await this.restoreStored(stored)
    return this.sandboxes.get(DEFAULT_SANDBOX_ID) ?? this.build(DEFAULT_SANDBOX_ID, this.defaults)
  }

  /** Makes a sandbox. Refuses a name that is taken or malformed, and unknown answers. */
  async create(options: SandboxOptions = {}): Promise<Sandbox> {
    return this.build(this.idFor(options.name), { ...this.defaults, ...options })
  }

  /** Makes a sandbox from a snapshot, which says all but name, tape and seed. */
  async copy(
    state: SandboxState,
    own: Pick<SandboxOptions, 'name' | 'tape' | 'seed'>,
  ): Promise<Sandbox> {
    return this.build(this.idFor(own.name), { ...optionsOf(state.options), ...own }, state)
  }

  /** Puts a sandbox made from a snapshot in place of one; its connections are closed. */
  async replace(id: string, state: SandboxState): Promise<Sandbox> {
    const options = optionsOf(state.options)
    const config = sandboxConfigOf(id, options, state)
    const world = await worldOf(this.worlds, options, state)
    if (!this.sandboxes.get(id)) throw new UserError(`sandbox "${id}" was dropped meanwhile`)
    return this.install(config, world)
  }

  get(id: string): Sandbox | undefined {
    return this.touch(this.sandboxes.get(id))
  }

  list(): Sandbox[] {
    return [...this.sandboxes.values()]
  }

  /** All of them by id, in the order in which they were made. */
  get byId(): NumberedEntries<Sandbox> {
    return this.sandboxes
  }

  /** By the id in the path, else by the access key or invite token, else the default one. */
  find(id: string | undefined, name: string | undefined): Sandbox | undefined {
    const owner = id ?? (name === undefined ? undefined : this.nameOwners.ownerOf(name))
    return this.touch(this.sandboxes.get(owner ?? DEFAULT_SANDBOX_ID))
  }

  /** Whether some sandbox has an access key or an invite token of that name. */
  ownsName(name: string): boolean {
    const owner = this.sandboxes.get(this.nameOwners.ownerOf(name) ?? '')?.tenancy
    return owner !== undefined && (owner.keys.has(name) || owner.invites.has(name))
  }

  /** Whether there was one to drop. */
  drop(id: string): boolean {
    if (this.sandboxes.has(id)) this.store?.remove(id)
    return this.remove(id)
  }

  /** null where nothing is stored. */
  get storage(): StorageStatus | null {
    return this.store?.status ?? null
  }

  private remove(id: string): boolean {
    const sandbox = this.sandboxes.get(id)
    if (!sandbox) return false
    this.sandboxes.delete(id)
    this.release(sandbox)
    return true
  }

  private release(sandbox: Sandbox): void {
    this.nameOwners.release(sandbox.id)
    sandbox.drop()
    sandbox.changeLog = null
  }

  /** What is stored stays, as of now where that can be stored. */
  close(): void {
    for (const sandbox of this.list()) sandbox.changes.flushProgress()
    for (const { id } of this.list()) this.remove(id)
  }

  private touch(sandbox: Sandbox | undefined): Sandbox | undefined {
    if (sandbox) sandbox.lastUsedMs = this.systemClock.monotonicMs()
    return sandbox
  }

  private idFor(name: string | undefined): string {
    while (name === undefined && this.sandboxes.has(`s${++this.numberedCount}`));
    const id = name ?? `s${this.numberedCount}`
    checkSandboxId(id)
    this.sandboxes.checkFree(id)
    return id
  }

  private async build(
    id: string,
    options: SandboxOptions,
    snapshot: SandboxState | null = null,
  ): Promise<Sandbox> {
    // What is wrong with them is said before a world is cast.
    sandboxConfigOf(id, options, snapshot)
    this.memory.checkRoom()
    const world = await worldOf(this.worlds, options, snapshot)
    const settled = await this.turns.run(this, optionsFor(world, options))
    // Others may have been made while the world was waited for.
    this.sandboxes.checkFree(id)
    const sandbox = this.install(sandboxConfigOf(id, settled, snapshot), world)
    const undo = () => this.drop(id)
    return this.turns.run(sandbox, tellFromStart(sandbox, undo, this.defaults.scenarios ?? []))
  }

  private async restoreStored({ id, state, snapshot }: StoredSandbox): Promise<void> {
    const options = optionsOf(state.options)
    const world = await worldOf(this.worlds, options, state, `sandbox "${id}" of the state file`)
    this.install(sandboxConfigOf(id, options, snapshot), world, state)
  }

  /** @param state what it goes on from, when it was stored */
  private install(
    config: SandboxConfig,
    world: LoadedWorld,
    state: SandboxState | null = null,
  ): Sandbox {
    const { id, origin, identitySeed, options } = config
    const names = this.nameOwners.claimLater(id)
    const createTenancy = (nowMs: number) =>
      initialTenancyOf(origin, identitySeed, this.actions, nowMs, names.claim)
    const { turns, systemClock, writeLog, memory } = this
    const sandbox = new Sandbox(config, world, createTenancy, turns, systemClock, writeLog, memory)
    if (state) sandbox.resume(state)
    storeSandbox(this.store, sandbox, state ? null : this.numberedCount)
    const replaced = this.sandboxes.get(id)
    if (replaced) this.release(replaced)
    names.settle()
    this.sandboxes.set(id, this.touch(sandbox) as Sandbox)
    if (options.idleMs !== undefined && id !== DEFAULT_SANDBOX_ID)
      watchIdle(sandbox, options.idleMs, this.systemClock, () => this.drop(id))
    return sandbox
  }
}

/** Sandboxes of a process, unless it is told otherwise. */
const SANDBOXES_MAX = 10_000

/** The sandboxes of a process by id, in the order in which they were made, and so many at most. */
class SandboxMap extends NumberedMap<Sandbox> {
  constructor(private readonly max: number) {
    super()
  }

  /** A UserError when no sandbox of that id can be added. */
  checkFree(id: string): void {
    if (this.has(id)) throw new UserError(`there is a sandbox "${id}" already`)
    if (this.size < this.max) return
    throw new UserError(
      `there are ${this.size} sandboxes, at most ${this.max} (serve --max-sandboxes): ` +
        'drop some before another one is made',
    )
  }
}

/**
 * Calls `drop` when a sandbox was idle for so long; looks again while it is used, or when what is
 * stored of it could not be removed.
 */
function watchIdle(
  sandbox: Sandbox,
  idleMs: number,
  systemClock: SystemClock,
  drop: () => void,
): void {
  const dropped = () => {
    try {
      drop()
      return true
    } catch (error) {
      if (error instanceof StorageError) return false
      throw error
    }
  }
  const look = () => {
    const leftMs = sandbox.lastUsedMs + idleMs - systemClock.monotonicMs()
    if (leftMs <= 0 && sandbox.stopListeners.size === 0 && dropped()) return
    cancel = systemClock.startTimer(Math.max(leftMs, idleMs / 10), look)
  }
  let cancel = systemClock.startTimer(idleMs, look)
  sandbox.onRemoved(() => cancel())
}

/** Which sandbox an access key or an invite token belongs to. */
class NameOwners {
  private readonly idByName = new Map<string, string>()
  private readonly namesById = new Map<string, Set<string>>()

  /** Names of a sandbox that is being made: they belong to it from `settle` on. */
  claimLater(id: string): { claim: ClaimName; settle: () => void } {
    const early: string[] = []
    let isSettled = false
    return {
      claim: (name) => {
        if (isSettled) this.claim(name, id)
        else early.push(name)
      },
      settle: () => {
        isSettled = true
        for (const name of early) this.claim(name, id)
      },
    }
  }

  /** Id of the sandbox; undefined for a name that belongs to none. */
  ownerOf(name: string): string | undefined {
    return this.idByName.get(name)
  }

  /** The names of a sandbox belong to nobody from now on. */
  release(id: string): void {
    for (const name of this.namesById.get(id) ?? []) this.idByName.delete(name)
    this.namesById.delete(id)
  }

  /** A copy of a sandbox has the same names: they stay with the one that had them first. */
  private claim(name: string, id: string): void {
    if (this.idByName.has(name)) return
    this.idByName.set(name, id)
    const names = this.namesById.get(id)
    if (names) names.add(name)
    else this.namesById.set(id, new Set([name]))
  }
}
