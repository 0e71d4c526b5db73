/** One request and its answer while they go by. */
import type { HttpExchangeData } from '../tape/recorded-data.ts'
import { decodedBody } from './http/decoded-body.ts'
import { type KeepingBudget, KeptBytes } from './http/kept-bytes.ts'
import { headerValue, headText, type MessageHead } from './http/message-head.ts'
import { keptContent } from './kept-content.ts'
import { answerHeaders, requestHeaders } from './kept-headers.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import type { Redaction } from './redaction/redaction.ts'

export class RecordedExchange {
  readonly requestBody: KeptBytes
  readonly answerBody: KeptBytes
  private answer: { head: MessageHead; status: number } | null = null

  constructor(
    private readonly asked: OutgoingRequest,
    readonly startedMs: number,
    private readonly budget: KeepingBudget,
  ) {
    this.requestBody = new KeptBytes(budget)
    this.answerBody = new KeptBytes(budget)
  }

  /** The head of the answer has come. */
  answered(head: MessageHead, status: number): void {
    this.answer = { head, status }
  }

  /** What a tape says of it. */
  data(redaction: Redaction, flaw: string | null): HttpExchangeData {
    const { head, method, target } = this.asked
    const { startedMs } = this
    const { head: answer = NO_HEAD, status = 0 } = this.answer ?? {}
    // In this order: what a request tells of secrets is known when its answer is read.
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
