import { answerFraming } from './http/body-framing.ts'
import { type BodyReader, bodyReader } from './http/body-reader.ts'
import { headEnd, type MessageHead, readHead } from './http/message-head.ts'
import { answerStatus, checkNoHttp2 } from './http/start-lines.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import type { ProxyContext } from './proxy-context.ts'
import { RecordedExchange } from './recorded-exchange.ts'
import { checkIsSocket } from './sockets/socket-opening.ts'

/** What has come of bytes of an answer. */
export type AnswerProgress =
  | { is: 'going on' }
  /** `rest` came behind the answer. */
  | { is: 'whole'; rest: Buffer }
  /** The connection is a socket from here on; `rest` are its first bytes. */
  | { is: 'switched'; head: MessageHead; rest: Buffer }

/** One request and its answer on their way. */
export class Passage {
  readonly exchange: RecordedExchange
  /** Finds the end of the request's body. */
  readonly request: BodyReader
  private answer: BodyReader | null = null
  private pending: Buffer = Buffer.alloc(0)

  /** @param stopWaiting called when the answer has begun, or there is none */
  constructor(
    readonly asked: OutgoingRequest,
    { recording, budget }: ProxyContext,
    readonly stopWaiting: () => void,
  ) {
    this.exchange = new RecordedExchange(asked, recording.nowMs(), budget)
    this.request = bodyReader(asked.framing, this.exchange.requestBody)
  }

  /** Whether the client has been given the head of the answer. */
  get isAnswered(): boolean {
    return this.answer !== null
  }

  /** Why the service must not end now, in words; null when it may. */
  missing(): string | null {
    return this.answer?.missing() ?? null
  }

  /** Takes bytes of the answer, and gives those to `pass` that are for the client. */
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
    const framing = answerFraming(head, this.asked.method, status)
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
