/** A WebSocket connection that goes by: its messages and its end, as events of a recording. */
import type { KeepingBudget } from '../http/kept-bytes.ts'
import { keptContent } from '../kept-content.ts'
import type { Recording } from '../recording.ts'
import type { Redaction } from '../redaction/redaction.ts'
import { FrameParser, type SocketMessage } from './frame-parser.ts'
import { agreedDeflation, Inflation } from './inflation.ts'

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
