import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { UserError } from '../user-error.ts'

const BLOCK_CHARS = 256 * 1024

let nameCount = 0

/** A name in the same folder that no other run and no other call uses. */
export function temporaryName(target: string): string {
  nameCount++
  return `${target}.${process.pid}-${nameCount}.tmp`
}

/** A temporary file beside a target for text in any amount, compressed with zstd or plain. */
export class TextSink {
  private block: string[] = []
  private chars = 0
  private failure: Error | null = null
  private readonly done: Promise<void>

  private constructor(
    readonly file: string,
    readonly packed: boolean,
    private readonly target: string,
    private readonly input: Writable,
    private readonly output: Writable,
  ) {
    const fail = (error: Error) => {
      this.failure ??= error
    }
    input.on('error', fail)
    this.done = finished(output).catch(fail)
  }

  /** Opens it. A missing folder, or a folder in the target's place, is a `UserError`. */
  static async open(target: string, packed: boolean): Promise<TextSink> {
    if ((await stat(target).catch(() => null))?.isDirectory())
      throw new UserError(`${target}: is a folder, give the name of a file`)
    const folder = path.dirname(path.resolve(target))
    if (!(await stat(folder).catch(() => null))?.isDirectory())
      throw new UserError(`${target}: there is no folder ${folder}`)
    const file = temporaryName(target)
    const output = createWriteStream(file, { flags: 'wx' })
    await once(output, 'open').catch((error: Error) => {
      throw new UserError(`${target}: cannot be written: ${error.message}`)
    })
    const compressor = packed ? createZstdCompress() : null
    compressor?.pipe(output)
    return new TextSink(file, packed, target, compressor ?? output, output)
  }

  /** Adds text; the promise, where there is one, resolves when there is room again. */
  write(text: string): Promise<void> | undefined {
    this.block.push(text)
    this.chars += text.length
    return this.chars < BLOCK_CHARS ? undefined : this.flush()
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<void> {
    await this.flush()
    this.input.end()
    await this.done
    this.check()
  }

  /** Deletes the file, finished or not. */
  async remove(): Promise<void> {
    this.input.destroy()
    this.output.destroy()
    await rm(this.file, { force: true })
  }

  private async flush(): Promise<void> {
    const text = this.block.join('')
    this.block = []
    this.chars = 0
    this.check()
    if (text === '' || this.input.write(text)) return
    await Promise.race([once(this.input, 'drain'), this.done])
    this.check()
  }

  private check(): void {
    if (this.failure)
      throw new UserError(`${this.target}: cannot be written: ${this.failure.message}`)
  }
}
