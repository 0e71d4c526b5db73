/** A WebSocket connection in transit: its messages and its end, as events of a recording. */

import { constants, inflateRawSync } from 'node:zlib'
import { type KeepingBudget, KeptBytes, keptContent } from '../http/kept-bytes.ts'
import { headerValue, headText, MessageFlaw, type MessageHead } from '../http/message-head.ts'
import { requestHeaders } from '../kept-headers.ts'
import type { ProxyContext, Recording } from '../recording.ts'
import type { Redaction } from '../redaction/redaction.ts'
import type { OutgoingRequest } from '../upstream-address.ts'

/** Rejects an upgrade to anything but a WebSocket. */
export function checkIsSocket(answer: MessageHead): void {
  if (headerValue(answer, 'upgrade')?.toLowerCase() !== 'websocket')
    throw new MessageFlaw('went over to a protocol that is not WebSocket')
}

/** A WebSocket connection that the service has accepted, recorded from here on. */
export function openedSocket(
  requested: OutgoingRequest,
  startedMs: number,
  answer: MessageHead,
  { recording, redaction, budget, nextConnection }: ProxyContext,
): RecordedSocket {
  const connection = nextConnection()
  const offered = headerValue(requested.head, 'sec-websocket-protocol')
  const chosen = headerValue(answer, 'sec-websocket-protocol')
  recording.add('connection', {
    connection,
    event: 'open',
    startedMs,
    url: redaction.url(headText(requested.target)),
    requestHeaders: requestHeaders(requested.head, redaction),
    protocols: offered === null ? [] : offered.split(',').map((one) => redaction.text(one.trim())),
    protocol: chosen === null ? null : redaction.text(chosen),
  })
  const extensions = headerValue(answer, 'sec-websocket-extensions')
  return new RecordedSocket(connection, extensions, recording, redaction, budget)
}

// WebSocket frames of one side's byte stream (RFC 6455, section 5).

/** A message assembled from its frames, or a control frame. */
interface SocketMessage {
  kind: 'text' | 'binary' | 'close' | 'ping' | 'pong'
  isCompressed: boolean
  /** As sent, unmasked; null when it was too long to keep. */
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

  /** Takes bytes; yields the completed messages. */
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
    // A copy: the rest is a few bytes of a large chunk.
    this.pending = rest.length === 0 ? EMPTY : Buffer.from(rest)
    if (this.pending.length > HEADER_BYTES_MAX) throw new MessageFlaw('sent no WebSocket frame')
  }

  /** Drops the message in progress: nothing follows. */
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

/** Direction of a message, as in a tape. */
type Direction = 'in' | 'out'

interface SocketSide {
  parser: FrameParser
  inflation: Inflation | null
  /** True once its messages are unreadable. */
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

  /** Takes bytes of one side. */
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

  /** Handles the connection's end; by whom unless a close frame shows it. */
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

/** Messages compressed by permessage-deflate (RFC 7692), as sent by one side. */
const TAIL = Buffer.from([0, 0, 0xff, 0xff])
/** Messages up to this multiple of the limit are inflated, as later ones may refer to them. */
const FOLLOWED = 8
const WINDOW_BYTES = 32 * 1024

class Inflation {
  private window = Buffer.alloc(0)

  /**
   * @param keepsContext whether a message may refer to earlier ones
   * @param most maximum kept bytes of a message
   */
  constructor(
    private readonly keepsContext: boolean,
    private readonly most: number,
  ) {}

  /**
   * The inflated message, null when it is too long to keep; throws when it is invalid, or when
   * nothing can be read after it.
   *
   * @param bytes null when the compressed bytes were too many
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

/** Compression agreed in a handshake's response, for each side; null for none. */
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
