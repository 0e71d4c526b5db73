/** WebSocket frames out of a stream of bytes, as one side sends them (RFC 6455, section 5). */
import { type KeepingBudget, KeptBytes } from '../http/kept-bytes.ts'
import { MessageFlaw } from '../http/message-flaw.ts'

/** A message whose frames have been put together, or a frame of control. */
export interface SocketMessage {
  kind: 'text' | 'binary' | 'close' | 'ping' | 'pong'
  isCompressed: boolean
  /** As sent, without the mask; null when it was too long to keep. */
  bytes: Buffer | null
  length: number
}

const CONTROL = { 8: 'close', 9: 'ping', 10: 'pong' } as const
const HEADER_BYTES_MAX = 14

interface FrameHeader {
  opcode: number
  isLast: boolean
  isCompressed: boolean
  mask: Buffer | null
  length: number
}

export class FrameParser {
  private pending = Buffer.alloc(0)
  private header: FrameHeader | null = null
  private read = 0
  private payload: KeptBytes
  private message: { kind: 'text' | 'binary'; isCompressed: boolean; kept: KeptBytes } | null = null

  constructor(private readonly budget: KeepingBudget) {
    this.payload = new KeptBytes(budget)
  }

  /** Takes what came; gives what is complete with it. */
  *take(bytes: Buffer): Generator<SocketMessage> {
    let rest = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes])
    this.pending = EMPTY
    for (;;) {
      if (this.header === null) {
        const size = headerSize(rest)
        if (size === null || rest.length < size) break
        this.begin(readHeader(rest))
        rest = rest.subarray(size)
      }
      const { length } = this.header as unknown as FrameHeader
      const part = rest.subarray(0, length - this.read)
      this.takePayload(part)
      rest = rest.subarray(part.length)
      if (this.read < length) break
      const message = this.endFrame()
      if (message) yield message
    }
    // A copy: what is left is a few bytes of a large piece.
    this.pending = rest.length === 0 ? EMPTY : Buffer.from(rest)
    if (this.pending.length > HEADER_BYTES_MAX) throw new MessageFlaw('sent no WebSocket frame')
  }

  /** Gives up what has come of a message: nothing follows. */
  end(): void {
    this.message?.kept.release()
    this.payload.release()
  }

  private begin(header: FrameHeader): void {
    const { opcode, isCompressed } = header
    if (opcode > 10 || (opcode > 2 && opcode < 8)) throw new MessageFlaw('sent no WebSocket frame')
    if (opcode === 0 && !this.message)
      throw new MessageFlaw('goes on with a message that was not begun')
    if (opcode === 1 || opcode === 2) {
      if (this.message) throw new MessageFlaw('begins a message within another')
      const kind = opcode === 1 ? 'text' : 'binary'
      this.message = { kind, isCompressed, kept: new KeptBytes(this.budget) }
    }
    this.header = header
    this.read = 0
    this.payload = opcode < 8 && this.message ? this.message.kept : new KeptBytes(this.budget)
  }

  private takePayload(part: Buffer): void {
    const { mask } = this.header as FrameHeader
    this.payload.add(mask ? unmasked(part, mask, this.read) : part)
    this.read += part.length
  }

  private endFrame(): SocketMessage | null {
    const { opcode, isLast } = this.header as FrameHeader
    this.header = null
    if (opcode < 8 && !isLast) return null
    const { kind, isCompressed } =
      opcode < 8 && this.message
        ? this.message
        : { kind: CONTROL[opcode as keyof typeof CONTROL], isCompressed: false }
    const { length, flaw } = this.payload
    const bytes = this.payload.release()
    if (opcode < 8) this.message = null
    return { kind, isCompressed, length, bytes: flaw === null ? bytes : null }
  }
}

const EMPTY = Buffer.alloc(0)

function headerSize(bytes: Buffer): number | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] ?? 0) & 127
  return 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + ((bytes[1] ?? 0) & 128 ? 4 : 0)
}

function readHeader(bytes: Buffer): FrameHeader {
  const [first = 0, second = 0] = bytes
  const short = second & 127
  const at = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0)
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  return {
    opcode: first & 15,
    isLast: (first & 128) !== 0,
    isCompressed: (first & 64) !== 0,
    mask: (second & 128) !== 0 ? Buffer.from(bytes.subarray(at, at + 4)) : null,
    length,
  }
}

function unmasked(bytes: Buffer, mask: Buffer, from: number): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length)
  for (let i = 0; i < bytes.length; i++)
    plain[i] = (bytes[i] as number) ^ (mask[(from + i) & 3] as number)
  return plain
}
