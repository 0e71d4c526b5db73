/** One connection of a client and its own one to the service: bytes pass, and are looked at. */
import { MessageFlaw } from './http/message-flaw.ts'
import { headBytes, headEnd, type MessageHead, readHead } from './http/message-head.ts'
import { ownAnswer } from './http/own-answer.ts'
import { outgoingRequest } from './outgoing-request.ts'
import { Passage } from './passage.ts'
import type { ProxyContext } from './proxy-context.ts'
import { ServiceLink } from './service-link.ts'
import type { RecordedSocket } from './sockets/recorded-socket.ts'
import { openedSocket } from './sockets/socket-opening.ts'
import type { Wire } from './tcp/wire.ts'

/** What a client may send ahead of the answer to what it has asked before. */
const AHEAD_MAX = 256 * 1024

export class ProxiedConnection {
  private readonly service: ServiceLink
  private fromClient: Buffer = EMPTY
  private passage: Passage | null = null
  private socket: RecordedSocket | null = null
  private hasEnded = false

  constructor(
    private readonly client: Wire,
    private readonly context: ProxyContext,
  ) {
    this.service = new ServiceLink(client, context.address, {
      data: (bytes) => this.serviceData(bytes),
      closed: (why) => this.serviceClosed(why),
      unreachable: (why) => this.fail(502, `${context.address.shown} cannot be reached: ${why}`),
    })
  }

  /** The client has sent something. */
  clientData(bytes: Buffer): void {
    if (this.hasEnded) return
    if (this.socket) return this.socketData('in', bytes)
    this.fromClient = this.fromClient.length === 0 ? bytes : Buffer.concat([this.fromClient, bytes])
    this.passRequests()
  }

  /** The client has closed its connection. */
  clientClosed(): void {
    this.end('client', 'the client left before the answer was whole')
  }

  /** The recorder ends. */
  stop(): void {
    this.end('recorder', 'the recorder ended before the answer was whole')
    this.client.end()
  }

  private end(by: 'client' | 'recorder', why: string): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.socket?.end(by)
    if (this.passage) this.complete(this.passage, why)
    // What the client has sent last still goes to the service of a socket.
    if (this.socket) this.service.end()
    else this.service.cut()
  }

  private passRequests(): void {
    try {
      while (this.fromClient.length > 0 && !this.hasEnded && this.passRequest());
    } catch (error) {
      if (!(error instanceof MessageFlaw)) throw error
      this.fail(400, `the client ${error.message}`)
    }
  }

  /** Passes on some of what the client has sent; false when it has to wait. */
  private passRequest(): boolean {
    if (this.passage === null) {
      const end = headEnd(this.fromClient)
      if (end === null) return false
      const head = readHead(this.fromClient.subarray(0, end))
      this.fromClient = this.fromClient.subarray(end)
      this.begin(head)
      return true
    }
    const { request } = this.passage
    if (request.isDone) {
      if (this.fromClient.length > AHEAD_MAX) this.client.pause()
      return false
    }
    const length = request.take(this.fromClient)
    this.service.send(this.fromClient.subarray(0, length))
    this.fromClient = this.fromClient.subarray(length)
    return true
  }

  private begin(head: MessageHead): void {
    const { clock, timeoutMs, address } = this.context
    const asked = outgoingRequest(head, this.context)
    const stopWaiting = clock.startTimer(timeoutMs, () =>
      this.fail(504, `${address.shown} did not answer within ${timeoutMs / 1000} s`),
    )
    this.passage = new Passage(asked, this.context, stopWaiting)
    this.service.send(headBytes(asked.head))
  }

  private serviceData(bytes: Buffer): void {
    if (this.hasEnded) return
    if (this.socket) return this.socketData('out', bytes)
    try {
      this.passAnswer(bytes)
    } catch (error) {
      if (!(error instanceof MessageFlaw)) throw error
      this.fail(502, `${this.context.address.shown} ${error.message}`)
    }
  }

  private passAnswer(bytes: Buffer): void {
    const { passage } = this
    if (passage === null)
      throw new MessageFlaw(`sent ${bytes.length} bytes that nobody had asked for`)
    const progress = passage.takeAnswer(bytes, (part) => this.client.send(part))
    if (progress.is === 'going on') return
    if (progress.is === 'switched') return this.switchToSocket(passage, progress)
    this.complete(passage, null)
    if (progress.rest.length > 0)
      throw new MessageFlaw(`sent ${progress.rest.length} bytes more than its answer has`)
    if (!passage.request.isDone) return this.close()
    this.client.resume()
    this.passRequests()
  }

  private switchToSocket(
    passage: Passage,
    { head, rest }: { head: MessageHead; rest: Buffer },
  ): void {
    passage.stopWaiting()
    this.socket = openedSocket(passage.asked, passage.exchange.startedMs, head, this.context)
    this.passage = null
    this.client.resume()
    const ahead = this.fromClient
    this.fromClient = EMPTY
    if (rest.length > 0) this.socketData('out', rest)
    if (ahead.length > 0) this.socketData('in', ahead)
  }

  private socketData(direction: 'in' | 'out', bytes: Buffer): void {
    if (direction === 'in') this.service.send(bytes)
    else this.client.send(bytes)
    this.socket?.take(direction, bytes)
  }

  private serviceClosed(why: string | null): void {
    if (this.hasEnded) return
    this.socket?.end('service', why)
    const { passage } = this
    const { shown } = this.context.address
    if (passage && !passage.isAnswered)
      return this.fail(502, `${shown} closed the connection without an answer`)
    const missing = passage?.missing() ?? null
    if (passage) this.complete(passage, missing === null ? null : `the service ${missing}`)
    if (missing !== null) this.context.complain(`${shown} ${missing}`)
    this.close()
  }

  /** There is no whole answer: the client is told where that is still possible. */
  private fail(status: number, message: string): void {
    if (this.hasEnded) return
    const { passage } = this
    this.context.complain(message)
    if (passage?.isAnswered) this.client.cut()
    else if (passage || status === 400) {
      const { head, body } = ownAnswer(status, message)
      passage?.exchange.answered(head, status)
      passage?.exchange.answerBody.add(body)
      this.client.send(headBytes(head))
      if (passage?.asked.method !== 'HEAD') this.client.send(body)
    }
    if (passage) this.complete(passage, message)
    this.close()
  }

  private complete(passage: Passage, flaw: string | null): void {
    passage.stopWaiting()
    this.passage = null
    const { recording, redaction } = this.context
    recording.add('exchange', passage.exchange.data(redaction, flaw))
  }

  private close(): void {
    this.hasEnded = true
    this.client.end()
    this.service.cut()
  }
}

const EMPTY = Buffer.alloc(0)
