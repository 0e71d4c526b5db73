import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { HttpExchangeData } from '../recorded-data.ts'
import { type KeepingBudget, KeptBytes, keptContent, tooLong } from './http/kept-bytes.ts'
import {
  answerFraming,
  answerStatus,
  type BodyFraming,
  checkNoHttp2,
  headEnd,
  headerValue,
  headText,
  MessageFlaw,
  type MessageHead,
  readHead,
} from './http/message-head.ts'
import { answerHeaders, requestHeaders } from './kept-headers.ts'
import type { ProxyContext } from './recording.ts'
import type { Redaction } from './redaction/redaction.ts'
import { checkIsSocket } from './sockets/recorded-socket.ts'
import type { OutgoingRequest } from './upstream-address.ts'

// Recorded header lines, with secrets replaced.

/** Result of reading bytes of a response. */
export type AnswerProgress =
  | { is: 'going on' }
  /** `rest` came after the response. */
  | { is: 'whole'; rest: Buffer }
  /** The connection is a socket from here on; `rest` are its first bytes. */
  | { is: 'switched'; head: MessageHead; rest: Buffer }

/** One request and its response in transit. */
export class Passage {
  readonly exchange: RecordedExchange
  /** Finds the end of the request's body. */
  readonly request: BodyReader
  private answer: BodyReader | null = null
  private pending: Buffer = Buffer.alloc(0)

  /** @param stopWaiting called when the response has begun, or cannot come */
  constructor(
    readonly requested: OutgoingRequest,
    { recording, budget }: ProxyContext,
    readonly stopWaiting: () => void,
  ) {
    this.exchange = new RecordedExchange(requested, recording.nowMs(), budget)
    this.request = bodyReader(requested.framing, this.exchange.requestBody)
  }

  /** Whether the client has received the head of the response. */
  get isAnswered(): boolean {
    return this.answer !== null
  }

  /** Why the service must not end now, as text; null when it may. */
  missing(): string | null {
    return this.answer?.missing() ?? null
  }

  /** Reads bytes of the response, and passes the client's to `pass`. */
  takeAnswer(bytes: Buffer, pass: (bytes: Buffer) => void): AnswerProgress {
    if (this.answer) return this.takeBody(this.answer, bytes, pass)
    const all = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes])
    checkNoHttp2(all)
    const end = headEnd(all)
    this.pending = all
    if (end === null) return GOING_ON
    this.pending = Buffer.alloc(0)
    const [raw, rest] = [all.subarray(0, end), all.subarray(end)]
    const head = readHead(raw)
    const status = answerStatus(head)
    if (status < 200) {
      if (status === 101) checkIsSocket(head)
      pass(raw)
      if (status === 101) return { is: 'switched', head, rest }
      return rest.length === 0 ? GOING_ON : this.takeAnswer(rest, pass)
    }
    const framing = answerFraming(head, this.requested.method, status)
    this.stopWaiting()
    this.exchange.answered(head, status)
    this.answer = bodyReader(framing, this.exchange.answerBody)
    pass(raw)
    return this.takeBody(this.answer, rest, pass)
  }

  private takeBody(
    answer: BodyReader,
    bytes: Buffer,
    pass: (bytes: Buffer) => void,
  ): AnswerProgress {
    const length = answer.take(bytes)
    pass(bytes.subarray(0, length))
    return answer.isDone ? { is: 'whole', rest: bytes.subarray(length) } : GOING_ON
  }
}

const GOING_ON: AnswerProgress = { is: 'going on' }

/** Finds the end of a body in a stream, and keeps the body without chunk framing. */
interface BodyReader {
  /** True once the body is complete. */
  readonly isDone: boolean
  /** Reads bytes; returns how many belong to the body. */
  take(bytes: Buffer): number
  /** Why the connection must not end now, as text; null when it may. */
  missing(): string | null
}

/** The reader of a body with this framing; contents go to `kept`. */
function bodyReader(framing: BodyFraming, kept: KeptBytes): BodyReader {
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

/** One recorded request and its response in progress. */
class RecordedExchange {
  readonly requestBody: KeptBytes
  readonly answerBody: KeptBytes
  private answer: { head: MessageHead; status: number } | null = null

  constructor(
    private readonly requested: OutgoingRequest,
    readonly startedMs: number,
    private readonly budget: KeepingBudget,
  ) {
    this.requestBody = new KeptBytes(budget)
    this.answerBody = new KeptBytes(budget)
  }

  /** Takes the head of the response. */
  answered(head: MessageHead, status: number): void {
    this.answer = { head, status }
  }

  /** Its data for a tape. */
  data(redaction: Redaction, flaw: string | null): HttpExchangeData {
    const { head, method, target } = this.requested
    const { startedMs } = this
    const { head: answer = NO_HEAD, status = 0 } = this.answer ?? {}
    // In this order: the request's secrets must be known when its response is read.
    const url = redaction.url(headText(target))
    const sentHeaders = requestHeaders(head, redaction)
    const sent = this.content(this.requestBody, head, redaction)
    const headers = answerHeaders(answer, redaction)
    const received = this.content(this.answerBody, answer, redaction)
    const error = flaw ?? sent.flaw?.('request') ?? received.flaw?.('answer')
    return {
      startedMs,
      method,
      url,
      requestHeaders: sentHeaders,
      ...('base64' in sent.kept
        ? { requestBase64: sent.kept.base64 }
        : { requestBody: sent.kept.text }),
      status,
      headers,
      ...('base64' in received.kept
        ? { responseBase64: received.kept.base64 }
        : { responseBody: received.kept.text }),
      ...(error === undefined ? {} : { error }),
    }
  }

  private content(body: KeptBytes, head: MessageHead, redaction: Redaction) {
    const said = (why: string | null) =>
      why === null ? null : (whose: string) => `the body of the ${whose} ${why}`
    const whole = body.release()
    if (body.flaw !== null) return { kept: { text: '' }, flaw: said(body.flaw) }
    const encoding = headerValue(head, 'content-encoding')
    const { bytes, flaw } = decodedBody(whole, encoding, this.budget.oneMax)
    return { kept: keptContent(bytes, redaction), flaw: said(flaw) }
  }
}

const NO_HEAD: MessageHead = { first: '', fields: [] }

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

const DECODERS: Record<string, Decoder> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  // Some servers omit the two-byte header that the standard requires.
  deflate: (bytes, options) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, options),
  identity: (bytes) => bytes,
}

/** Decodes a body's `content-encoding`; returns the reason, as text, where that fails. */
function decodedBody(
  bytes: Buffer,
  encoding: string | null,
  most: number,
): { bytes: Buffer; flaw: string | null } {
  const names = (encoding ?? '').toLowerCase().split(',')
  let decoded = bytes
  for (const name of names
    .map((one) => one.trim())
    .filter(Boolean)
    .reverse()) {
    if (decoded.length === 0) break
    try {
      decoded = (DECODERS[name] ?? unknown)(decoded, { maxOutputLength: most })
    } catch (error) {
      const { code, message: why } = error as NodeJS.ErrnoException
      if (code === 'ERR_BUFFER_TOO_LARGE') return { bytes: EMPTY, flaw: tooLong(most) }
      return { bytes: EMPTY, flaw: `is not what its content-encoding ${name} says: ${why}` }
    }
  }
  return { bytes: decoded, flaw: null }
}

const EMPTY = Buffer.alloc(0)

const isZlib = (bytes: Buffer): boolean =>
  ((bytes[0] ?? 0) & 15) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0

const unknown: Decoder = () => {
  throw new Error('nothing here decodes it')
}
