import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { UserError } from '../platform/user-error.ts'
import { temporaryName } from './text-sink.ts'

interface KeptState {
  /** What the parts are made of: another text for other sources or settings. */
  key: string
  /** Events in the parts. */
  events: number
  /** How many bytes each part has: a machine that failed may have kept fewer. */
  sizes: readonly number[]
}

/**
 * The parts of a tape that are written already, in a folder beside it, `<tape>.partial`. It stays
 * when the writing is interrupted, whatever by, and goes when the tape is whole.
 */
export class KeptParts {
  private constructor(
    private readonly folder: string,
    private state: KeptState,
  ) {}

  /** Opens the folder; one of another key, or that cannot be read, is a `UserError`. */
  static async open(tape: string, key: string): Promise<KeptParts> {
    const folder = `${tape}.partial`
    const above = path.dirname(path.resolve(tape))
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      throw new UserError(`${tape}: cannot be written in ${above}: ${error.message}`)
    })
    const text = await readFile(path.join(folder, 'state.json'), 'utf8').catch(() => null)
    if (text === null) return new KeptParts(folder, { key, events: 0, sizes: [] })
    const state = stateIn(text)
    if (state?.key === key) {
      const kept = new KeptParts(folder, state)
      await kept.check()
      return kept
    }
    throw new UserError(
      `${folder}: was kept by an import of other sources or with other flags: ` +
        'import these again, or remove it',
    )
  }

  /** How many events are in the parts. */
  get events(): number {
    return this.state.events
  }

  /** The files of all parts, in order. */
  files(): string[] {
    return Array.from({ length: this.state.sizes.length }, (_, at) => this.file(at))
  }

  /** Where the next part is written. */
  next(): string {
    return this.file(this.state.sizes.length)
  }

  /** Takes a part that is whole, with how many events there are now. */
  async add(written: string, events: number): Promise<void> {
    const { size } = await stat(written)
    await rename(written, this.next())
    this.state = { key: this.state.key, events, sizes: [...this.state.sizes, size] }
    const draft = temporaryName(path.join(this.folder, 'state.json'))
    await writeFile(draft, JSON.stringify(this.state))
    await rename(draft, path.join(this.folder, 'state.json'))
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Refuses parts that are not as they were written. */
  private async check(): Promise<void> {
    for (const [at, file] of this.files().entries()) {
      const size = (await stat(file).catch(() => null))?.size ?? 0
      if (size !== this.state.sizes[at])
        throw new UserError(
          `${file}: has ${size} of ${this.state.sizes[at]} bytes: remove ${this.folder} and ` +
            'import from the beginning',
        )
    }
  }

  private file(at: number): string {
    return path.join(this.folder, `part-${String(at).padStart(6, '0')}`)
  }
}

function stateIn(text: string): KeptState | null {
  try {
    const state = JSON.parse(text) as KeptState
    return Array.isArray(state.sizes) ? state : null
  } catch {
    return null
  }
}
