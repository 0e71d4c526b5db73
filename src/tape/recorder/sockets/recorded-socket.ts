/** A WebSocket connection that goes by: its messages and its end, as events of a recording. */

import { constants, inflateRawSync } from 'node:zlib'
import { type KeepingBudget, KeptBytes } from '../http/kept-bytes.ts'
import { MessageFlaw } from '../http/message-flaw.ts'
import { keptContent } from '../kept-content.ts'
import type { Recording } from '../recording.ts'
import type { Redaction } from '../redaction/redaction.ts'

// WebSocket frames out of a stream of bytes, as one side sends them (RFC 6455, section 5).

/** A message whose frames have been put together, or a frame of control. */
interface SocketMessage {
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

class FrameParser {
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

/** Who sends, as a tape says it. */
type Direction = 'in' | 'out'

interface SocketSide {
  parser: FrameParser
  inflation: Inflation | null
  /** True once its messages cannot be read any more. */
  isLost: boolean
}

export class RecordedSocket {
  private readonly sides: Record<Direction, SocketSide>
  private closing: { code: number; reason: string; by: 'client' | 'service' } | null = null
  private hasEnded = false

  constructor(
    private readonly connection: number,
    extensions: string | null,
    private readonly recording: Recording,
    private readonly redaction: Redaction,
    budget: KeepingBudget,
  ) {
    const agreed = agreedDeflation(extensions)
    const side = (keepsContext: boolean | undefined): SocketSide => ({
      parser: new FrameParser(budget),
      inflation: keepsContext === undefined ? null : new Inflation(keepsContext, budget.oneMax),
      isLost: false,
    })
    this.sides = { in: side(agreed?.client), out: side(agreed?.service) }
  }

  /** Takes bytes that one side has sent. */
  take(direction: Direction, bytes: Buffer): void {
    const side = this.sides[direction]
    if (side.isLost) return
    try {
      for (const message of side.parser.take(bytes)) this.message(direction, side, message)
    } catch (error) {
      side.isLost = true
      side.parser.end()
      const who = direction === 'in' ? 'the client' : 'the service'
      const message = `${who} ${(error as Error).message}: what it sends is passed on, not recorded`
      this.recording.add('connection', { connection: this.connection, event: 'error', message })
    }
  }

  /** The connection has ended; by whom unless a closing frame said so. */
  end(by: 'client' | 'service' | 'recorder', why: string | null = null): void {
    if (this.hasEnded) return
    this.hasEnded = true
    for (const { parser } of Object.values(this.sides)) parser.end()
    const { connection, recording } = this
    if (why !== null) recording.add('connection', { connection, event: 'error', message: why })
    const closing = this.closing ?? { code: ABNORMAL, reason: '', by }
    recording.add('connection', { connection, event: 'close', ...closing })
  }

  private message(direction: Direction, side: SocketSide, message: SocketMessage): void {
    const { connection } = this
    if (message.kind === 'close') return this.closed(direction, message.bytes)
    const bytes = message.isCompressed ? inflated(side, message.bytes) : message.bytes
    if (bytes === null) {
      const size = message.isCompressed
        ? 'a compressed message'
        : `a message of ${message.length} bytes`
      const why = `${size} was too long to keep`
      this.recording.add('gap', { fromMs: this.recording.nowMs(), why, lost: 1, connection })
      return
    }
    const kept =
      message.kind === 'binary'
        ? { base64: this.redaction.bytes(bytes).toString('base64') }
        : keptContent(bytes, this.redaction)
    const control =
      message.kind === 'ping' || message.kind === 'pong' ? { control: message.kind } : {}
    this.recording.add('frame', { connection, direction, ...kept, ...control })
  }

  private closed(direction: Direction, bytes: Buffer | null): void {
    const code = bytes !== null && bytes.length >= 2 ? bytes.readUInt16BE(0) : NO_CODE
    const reason = this.redaction.text(bytes?.toString('utf8', 2) ?? '')
    this.closing ??= { code, reason, by: direction === 'in' ? 'client' : 'service' }
  }
}

const ABNORMAL = 1006
const NO_CODE = 1005

function inflated(side: SocketSide, bytes: Buffer | null): Buffer | null {
  if (side.inflation === null) throw new Error('compresses, which was not agreed')
  return side.inflation.inflate(bytes)
}

/** Messages compressed by permessage-deflate (RFC 7692), as one side sends them. */
const TAIL = Buffer.from([0, 0, 0xff, 0xff])
/** A message so many times too long is read all the same, as later ones may refer to it. */
const FOLLOWED = 8
const WINDOW_BYTES = 32 * 1024

class Inflation {
  private window = Buffer.alloc(0)

  /**
   * @param keepsContext whether a message may refer to those before it
   * @param most bytes of a message that is kept
   */
  constructor(
    private readonly keepsContext: boolean,
    private readonly most: number,
  ) {}

  /**
   * The message as it was before, null when it is too long to keep; throws when it is not
   * compressed so, or when nothing can be read after it.
   *
   * @param bytes null when they were too many themselves
   */
  inflate(bytes: Buffer | null): Buffer | null {
    const message = bytes === null ? null : this.inflated(bytes)
    if (message === null) {
      if (!this.keepsContext) return null
      throw new Error('compresses on with a message that was too long to keep')
    }
    if (this.keepsContext) {
      const joined = message.length < WINDOW_BYTES ? Buffer.concat([this.window, message]) : message
      this.window = Buffer.from(joined.subarray(-WINDOW_BYTES))
    }
    return message.length <= this.most ? message : null
  }

  private inflated(bytes: Buffer): Buffer | null {
    try {
      return inflateRawSync(Buffer.concat([bytes, TAIL]), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: this.most * FOLLOWED,
        ...(this.window.length === 0 ? {} : { dictionary: this.window }),
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null
      throw error
    }
  }
}

/** What the answer to a handshake agrees to, of each side; null when nothing is compressed. */
function agreedDeflation(extensions: string | null): { client: boolean; service: boolean } | null {
  const agreed = (extensions ?? '')
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
    .find(([name]) => name === 'permessage-deflate')
  if (agreed === undefined) return null
  return {
    client: !agreed.includes('client_no_context_takeover'),
    service: !agreed.includes('server_no_context_takeover'),
  }
}
