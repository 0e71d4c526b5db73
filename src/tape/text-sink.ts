import {
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { UserError } from '../platform/user-error.ts'
import { LineBytes } from './line-bytes.ts'
import type { EventDraft } from './tape-event.ts'

/** A block is compressed and written while the next one is filled; each is a zstd frame. */
const BLOCK_CHARS = 512 * 1024

let nameCount = 0

/** A unique name in the same folder. */
export function temporaryName(target: string): string {
  nameCount++
  return `${target}.${process.pid}-${nameCount}.tmp`
}

/** A temporary file beside a target for text in any amount, compressed with zstd or plain. */
export class TextSink {
  private block = new LineBytes()
  /** The block that is being written, or was: its memory is reused. */
  private other = new LineBytes()
  private failure: Error | null = null
  private writing: Promise<void> | null = null
  private isOpen = true

  private constructor(
    readonly file: string,
    readonly packed: boolean,
    private readonly target: string,
    private readonly handle: FileHandle,
  ) {}

  /** Opens it. A missing folder, or a target that is no file, is a `UserError`. */
  static async open(target: string, packed: boolean): Promise<TextSink> {
    const there = await stat(target).catch(() => null)
    if (there?.isDirectory()) throw new UserError(`${target}: is a folder, give the name of a file`)
    // Renaming would replace it, and its reader would never get the data.
    if (there && !there.isFile())
      throw new UserError(`${target}: is a device or a pipe, give the name of a file`)
    const folder = path.dirname(path.resolve(target))
    if (!(await stat(folder).catch(() => null))?.isDirectory())
      throw new UserError(`${target}: there is no folder ${folder}`)
    const file = temporaryName(target)
    const handle = await open(file, 'wx').catch((error: Error) => {
      throw new UserError(`${target}: cannot be written: ${error.message}`)
    })
    return new TextSink(file, packed, target, handle)
  }

  /** Adds text; the promise, where there is one, resolves when there is room again. */
  write(text: string): Promise<void> | undefined {
    this.block.text(text)
    return this.block.chars < BLOCK_CHARS ? undefined : this.flush()
  }

  /** The same for the line of an event. */
  writeEvent(event: EventDraft, seq: number): Promise<void> | undefined {
    this.block.event(event, seq)
    return this.block.chars < BLOCK_CHARS ? undefined : this.flush()
  }

  /** Writes the rest and closes the file. */
  async close(): Promise<void> {
    await this.flush()
    await this.writing
    await this.end()
    this.check()
  }

  /** Deletes the file, finished or not. */
  async remove(): Promise<void> {
    await this.writing
    await this.end()
    await rm(this.file, { force: true })
  }

  /** Waits for the previous block, and starts writing this one. */
  private async flush(): Promise<void> {
    await this.writing
    this.check()
    const bytes = this.takeBlock()
    if (bytes.length === 0) return
    this.writing = this.put(bytes).catch((error: Error) => {
      this.failure ??= error
    })
  }

  /** Contents of the block, valid until the next one is taken. */
  private takeBlock(): Uint8Array {
    const taken = this.block
    this.block = this.other
    this.block.clear()
    this.other = taken
    return taken.written()
  }

  private async put(bytes: Uint8Array): Promise<void> {
    const content = this.packed ? await Bun.zstdCompress(bytes) : bytes
    for (let at = 0; at < content.length; )
      at += (await this.handle.write(content, at, content.length - at)).bytesWritten
  }

  private async end(): Promise<void> {
    if (!this.isOpen) return
    this.isOpen = false
    await this.handle.close()
  }

  private check(): void {
    if (this.failure)
      throw new UserError(`${this.target}: cannot be written: ${this.failure.message}`)
  }
}

interface KeptState {
  /** Identifies the parts: differs for other sources or settings. */
  key: string
  /** Events in the parts. */
  events: number
  /** Bytes of each part: a crash may have kept fewer. */
  sizes: readonly number[]
}

/**
 * Finished parts of a tape, in a folder beside it, `<tape>.partial`. It stays on any interruption,
 * and is removed when the tape is complete.
 */
export class KeptParts {
  private constructor(
    private readonly folder: string,
    private state: KeptState,
  ) {}

  /** Opens the folder; one with another key, or an unreadable one, is a `UserError`. */
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

  /** Path of the next part. */
  next(): string {
    return this.file(this.state.sizes.length)
  }

  /** Adds a finished part, and the number of events so far. */
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

  /** Refuses parts that have changed. */
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
