import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { UserError } from '../platform/user-error.ts'
import { LineBytes } from './line-bytes.ts'
import type { EventDraft } from './tape-event.ts'

/** A block is compressed and written while the next one is filled; each is a zstd frame. */
const BLOCK_CHARS = 512 * 1024

let nameCount = 0

/** A name in the same folder that no other run and no other call uses. */
export function temporaryName(target: string): string {
  nameCount++
  return `${target}.${process.pid}-${nameCount}.tmp`
}

/** A temporary file beside a target for text in any amount, compressed with zstd or plain. */
export class TextSink {
  private block = new LineBytes()
  /** The block that is being written, or was: its memory is used again. */
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

  /** Opens it. A missing folder, or what is no file in the target's place, is a `UserError`. */
  static async open(target: string, packed: boolean): Promise<TextSink> {
    const there = await stat(target).catch(() => null)
    if (there?.isDirectory()) throw new UserError(`${target}: is a folder, give the name of a file`)
    // It would be replaced, by the name, and nobody would read what was meant for it.
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

  /** Writes what is left and closes the file. */
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

  /** Waits for the block before, and has this one written. */
  private async flush(): Promise<void> {
    await this.writing
    this.check()
    const bytes = this.takeBlock()
    if (bytes.length === 0) return
    this.writing = this.put(bytes).catch((error: Error) => {
      this.failure ??= error
    })
  }

  /** What the block has, good until the next one is taken. */
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
