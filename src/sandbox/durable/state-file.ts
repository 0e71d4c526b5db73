/** Sandboxes in one SQLite file: what is committed here outlives the process. */
import type { Database } from 'bun:sqlite'
import { Complaint } from '../../complaint.ts'
import type { Keeper, Kept, Storehouse } from '../keeper.ts'
import { madeOf, ONLY, PARTS, type PartKind, type Savable } from '../saved/parts.ts'
import { readState, STATE_FORMAT, STATE_VERSION } from '../saved/state.ts'
import { release } from './release.ts'
import { type Statements, statementsOf } from './statements.ts'

export class StateFile implements Storehouse {
  private readonly does: Statements

  constructor(
    private readonly db: Database,
    private readonly file: string,
  ) {
    this.does = statementsOf(db)
  }

  sandboxes(): Kept[] {
    return this.does.sandboxes().map(({ id, version, world, made, from }) => {
      try {
        const parts = Object.groupBy(this.does.parts(id), ({ kind }) => kind)
        const all = (kind: PartKind) => (parts[kind] ?? []).map(({ value }) => JSON.parse(value))
        const [place] = all('place')
        const [spending = null] = all('spending')
        const head = { format: STATE_FORMAT, version, world, made: JSON.parse(made), place }
        const state = readState({
          ...head,
          spending,
          keys: all('key'),
          distributors: all('distributor'),
          invites: all('invite'),
          alerts: all('alert'),
          counts: all('count'),
          nonces: all('nonce'),
        })
        return { id, state, from: from === null ? null : readState(JSON.parse(from)) }
      } catch (error) {
        const why = `sandbox "${id}": ${(error as Error).message}`
        throw new Complaint(`the state file ${this.file} cannot be read: ${why}`)
      }
    })
  }

  get numbered(): number {
    return this.does.note('numbered') ?? 0
  }

  set numbered(count: number) {
    this.does.setNote('numbered', count)
  }

  keep(sandbox: Savable): Keeper {
    const keeper = this.resume(sandbox)
    keeper.noteAll()
    keeper.commit()
    return keeper
  }

  resume(sandbox: Savable): Keeper {
    return new SandboxKeeper(sandbox, this.db, this.does)
  }

  forget(id: string): void {
    this.db.transaction(() => this.does.forget(id)).immediate()
  }

  /** Everything is in the one file then, and others may have it. */
  close(): void {
    release(this.db)
  }
}

class SandboxKeeper implements Keeper {
  private noted = new Map<PartKind, Set<string>>()
  private all = false
  private isNoted = false

  constructor(
    private readonly sandbox: Savable,
    private readonly db: Database,
    private readonly does: Statements,
  ) {}

  note(kind: PartKind, id: string): void {
    const ids = this.noted.get(kind)
    if (ids) ids.add(id)
    else this.noted.set(kind, new Set([id]))
    this.isNoted = true
  }

  noteAll(): void {
    this.all = true
    this.isNoted = true
  }

  commit(): void {
    if (!this.isNoted) return
    this.db.exec('begin immediate')
    try {
      if (this.all) this.writeAll()
      else this.writeNoted()
      this.db.exec('commit')
    } catch (error) {
      // What was noted stays noted: it is tried again with the next answer.
      this.db.exec('rollback')
      throw error
    }
    this.noted = new Map()
    this.all = false
    this.isNoted = false
  }

  private writeNoted(): void {
    // The next name and the next id stand in the sandbox's place.
    if (NUMBERED.some((kind) => this.noted.has(kind))) this.note('place', ONLY)
    for (const [kind, ids] of this.noted) for (const id of ids) this.write(kind, id)
  }

  private writeAll(): void {
    const { id, stage, terms } = this.sandbox
    this.does.clear(id)
    const from = terms.from && JSON.stringify(terms.from)
    this.does.add(id, STATE_VERSION, stage.id, JSON.stringify(madeOf(this.sandbox)), from)
    for (const kind of Object.keys(PARTS) as PartKind[])
      for (const part of PARTS[kind].ids(this.sandbox)) this.write(kind, part)
  }

  private write(kind: PartKind, id: string): void {
    const value = PARTS[kind].take(this.sandbox, id)
    if (value === undefined) this.does.remove(this.sandbox.id, kind, id)
    else this.does.put(this.sandbox.id, kind, id, JSON.stringify(value))
  }
}

const NUMBERED: readonly PartKind[] = ['key', 'invite', 'alert']
