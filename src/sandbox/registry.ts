/** All sandboxes of the process, and which one a request belongs to. */
import { type Machine, machine } from '../clock/machine.ts'
import type { ClockState } from '../clock/session-clock.ts'
import { Complaint } from '../complaint.ts'
import { type CHOSEN, choose } from '../contract/questions.ts'
import { dice } from '../random/dice.ts'
import { demoKeys, mintKeys } from './keys.ts'
import type { EndBehaviour, Epoch, Speed } from './playhead.ts'
import { Sandbox, type Stage, type Terms } from './sandbox.ts'

/** What a new sandbox can be asked to be; everything else is as the server was started. */
export interface Wish {
  name?: string
  tape?: string
  seed?: number
  at?: number
  speed?: Speed
  end?: EndBehaviour
  epoch?: Epoch
  clock?: ClockState
  now?: number
  questions?: Record<string, string>
  signatureTime?: 'machine' | 'session'
}

/** Finds or casts the world of a tape and a seed. */
export type StageDoor = (wish: { tape?: string; seed?: number }) => Promise<Stage>

export const DEFAULT_ID = 'default'

export class Registry {
  private readonly sandboxes = new Map<string, Sandbox>()
  private readonly byKey = new Map<string, Sandbox>()
  private made = 0

  /**
   * @param granted what the sub keys of a new sandbox may do
   * @param standing what a sandbox is when its wish does not say
   */
  constructor(
    private readonly stages: StageDoor,
    private readonly granted: readonly string[],
    private readonly standing: Wish = {},
    readonly by: Machine = machine,
  ) {}

  /** Makes the default sandbox, with the demo keys. */
  async open(): Promise<Sandbox> {
    return this.make(DEFAULT_ID, this.standing)
  }

  /**
   * Makes a sandbox. Refuses a name that is taken or odd, and answers to questions that do not
   * exist.
   */
  async create(wish: Wish = {}): Promise<Sandbox> {
    const id = wish.name ?? this.freeId()
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
      throw new Complaint(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
    if (this.sandboxes.has(id)) throw new Complaint(`there is a sandbox "${id}" already`)
    return this.make(id, { ...this.standing, ...wish })
  }

  get(id: string): Sandbox | undefined {
    return this.sandboxes.get(id)
  }

  list(): Sandbox[] {
    return [...this.sandboxes.values()]
  }

  /** By the id in the path, else by the access key, else the default one. */
  find(id: string | undefined, accessKey: string | undefined): Sandbox | undefined {
    if (id !== undefined) return this.sandboxes.get(id)
    const owner = accessKey === undefined ? undefined : this.byKey.get(accessKey)
    return owner ?? this.sandboxes.get(DEFAULT_ID)
  }

  /** Whether there was one to drop. */
  drop(id: string): boolean {
    const sandbox = this.sandboxes.get(id)
    if (!sandbox) return false
    this.sandboxes.delete(id)
    for (const key of Object.values(sandbox.keys)) this.byKey.delete(key.accessKey)
    sandbox.drop()
    return true
  }

  close(): void {
    for (const sandbox of this.list()) this.drop(sandbox.id)
  }

  private freeId(): string {
    do this.made++
    while (this.sandboxes.has(`s${this.made}`))
    return `s${this.made}`
  }

  private async make(id: string, wish: Wish): Promise<Sandbox> {
    const answers = choose(wish.questions ?? {})
    if (typeof answers === 'string') throw new Complaint(answers)
    const stage = await this.stages(wish)
    if (this.sandboxes.has(id)) throw new Complaint(`there is a sandbox "${id}" already`)
    const chance = dice(wish.seed ?? 0, `sandbox/${id}`)
    const keys =
      id === DEFAULT_ID ? demoKeys(this.granted) : mintKeys(id, chance.fork('keys'), this.granted)
    const token = id === DEFAULT_ID ? 'demo-invite' : `${id}-invite-${chance.fork('invite').hex(8)}`
    const sandbox = new Sandbox(termsOf(id, wish, answers), stage, keys, token, this.by)
    this.sandboxes.set(id, sandbox)
    for (const key of Object.values(keys)) this.byKey.set(key.accessKey, sandbox)
    return sandbox
  }
}

function termsOf(id: string, wish: Wish, answers: typeof CHOSEN): Terms {
  return {
    id,
    clock: wish.clock ?? 'running',
    epoch: wish.epoch ?? 'live',
    signatureTime: wish.signatureTime ?? 'machine',
    answers,
    ...(wish.now === undefined ? {} : { nowMs: wish.now }),
    ...(wish.at === undefined ? {} : { atMs: wish.at }),
    ...(wish.speed === undefined ? {} : { speed: wish.speed }),
    ...(wish.end === undefined ? {} : { end: wish.end }),
  }
}
