/** Sandboxes in one SQLite file: what is committed here outlives the process. */
import type { Database } from 'bun:sqlite'
import { UserError } from '../../user-error.ts'
import type { ChangeLog, SandboxStore, StoredSandbox } from '../sandbox-store.ts'
import type { SnapshotSource } from '../snapshot/state-parts.ts'
import type { StorageObserver } from '../storage-status.ts'
import { closeDatabase } from './closing.ts'
import { SandboxChangeLog } from './sandbox-change-log.ts'
import { StateWriter } from './state-writer.ts'
import { type Statements, statementsOf } from './statements.ts'
import { storedState } from './stored-state.ts'

export class StateFile implements SandboxStore {
  private readonly statements: Statements
  private readonly writer: StateWriter
  private isClosed = false

  constructor(
    private readonly db: Database,
    private readonly file: string,
  ) {
    this.statements = statementsOf(db)
    this.writer = new StateWriter(db, file)
  }

  get status() {
    return this.writer.status
  }

  reportTo(observer: StorageObserver): void {
    this.writer.status.reportTo(observer)
  }

  sandboxes(): StoredSandbox[] {
    return this.statements.sandboxes().map((row) => {
      try {
        return storedState(row, this.statements.parts(row.id))
      } catch (error) {
        const why = `sandbox "${row.id}": ${(error as Error).message}`
        throw new UserError(`the state file ${this.file} cannot be read: ${why}`)
      }
    })
  }

  get numberedCount(): number {
    return this.statements.note(NUMBERED) ?? 0
  }

  add(sandbox: SnapshotSource, numberedCount: number): ChangeLog {
    const changeLog = this.changeLogOf(sandbox)
    changeLog.replace(sandbox, () => this.statements.setNote(NUMBERED, numberedCount))
    return changeLog
  }

  reopen(sandbox: SnapshotSource): ChangeLog {
    return this.changeLogOf(sandbox)
  }

  remove(id: string): void {
    this.writer.write(() => this.statements.forget(id))
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.writer.status.stop()
    // Under its name there may be the log of another server by now.
    if (this.writer.isInPlace) closeDatabase(this.db)
    else this.db.close()
  }

  private changeLogOf(sandbox: SnapshotSource): SandboxChangeLog {
    return new SandboxChangeLog(sandbox, this.writer, this.statements)
  }
}

const NUMBERED = 'numbered'
