import type { BodyFraming } from './body-framing.ts'
import type { KeptBytes } from './kept-bytes.ts'
import { MessageFlaw } from './message-flaw.ts'

/** Finds the end of a body in what comes in, and keeps the body without its chunks. */
export interface BodyReader {
  /** True once the body is whole. */
  readonly isDone: boolean
  /** Takes bytes; answers how many of them belong to the body. */
  take(bytes: Buffer): number
  /** Why the connection must not end now, in words; null when it may. */
  missing(): string | null
}

/** The reader of a body that is framed so; its contents go to `kept`. */
export function bodyReader(framing: BodyFraming, kept: KeptBytes): BodyReader {
  if (framing.kind === 'chunked') return new ChunkedBody(kept)
  return new CountedBody(framing.kind === 'length' ? framing.bytes : null, kept)
}

class CountedBody implements BodyReader {
  private read = 0

  /** @param length null until the connection ends */
  constructor(
    private readonly length: number | null,
    private readonly kept: KeptBytes,
  ) {}

  get isDone(): boolean {
    return this.read === this.length
  }

  take(bytes: Buffer): number {
    const left = this.length === null ? bytes.length : this.length - this.read
    const part = bytes.length <= left ? bytes : bytes.subarray(0, left)
    this.kept.add(part)
    this.read += part.length
    return part.length
  }

  missing(): string | null {
    return this.length === null || this.isDone
      ? null
      : `closed after ${this.read} of the ${this.length} bytes that it had stated`
  }
}

const SIZE_LINE_MAX = 4096

class ChunkedBody implements BodyReader {
  private expects: 'size' | 'data' | 'line end' | 'trailer' | 'nothing' = 'size'
  private line = ''
  private left = 0

  constructor(private readonly kept: KeptBytes) {}

  get isDone(): boolean {
    return this.expects === 'nothing'
  }

  take(bytes: Buffer): number {
    let at = 0
    while (at < bytes.length && !this.isDone)
      at = this.expects === 'data' ? this.data(bytes, at) : this.text(bytes, at)
    return at
  }

  missing(): string | null {
    return this.isDone ? null : 'closed before its last chunk'
  }

  private data(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.left)
    this.kept.add(bytes.subarray(from, end))
    this.left -= end - from
    if (this.left === 0) this.expects = 'line end'
    return end
  }

  private text(bytes: Buffer, from: number): number {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline + 1
    this.line += bytes.toString('latin1', from, end)
    if (this.line.length > SIZE_LINE_MAX) throw new MessageFlaw('sent no size of a chunk')
    if (newline >= 0) {
      const line = this.line.replace(/\r?\n$/, '')
      this.line = ''
      this.endLine(line)
    }
    return end
  }

  private endLine(line: string): void {
    if (this.expects === 'trailer') {
      if (line === '') this.expects = 'nothing'
      return
    }
    if (this.expects === 'line end') {
      if (line !== '') throw new MessageFlaw('sent a chunk that is longer than its size')
      this.expects = 'size'
      return
    }
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(;.*)?$/i.exec(line) ?? []
    if (size === undefined) throw new MessageFlaw('sent no size of a chunk')
    this.left = Number.parseInt(size, 16)
    this.expects = this.left === 0 ? 'trailer' : 'data'
  }
}
