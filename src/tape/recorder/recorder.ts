/** A proxy between clients and a service on a port of its own, which records the traffic. */

import { STATUS_CODES } from 'node:http'
import { bareHost, portFailure } from '../../platform/port.ts'
import { UserError } from '../../platform/user-error.ts'
import type { KeepingBudget } from './http/kept-bytes.ts'
import {
  headBytes,
  headEnd,
  headerField,
  MessageFlaw,
  type MessageHead,
  readHead,
} from './http/message-head.ts'
import { Passage } from './passage.ts'
import type { ProxyContext, RecordingSettings } from './recording.ts'
import { Recording } from './recording.ts'
import type { RecordedSocket } from './sockets/recorded-socket.ts'
import { openedSocket } from './sockets/recorded-socket.ts'
import { Wire } from './tcp/wire.ts'
import type { UpstreamAddress } from './upstream-address.ts'
import { outgoingRequest, type SigningKey, targetSigner } from './upstream-address.ts'

export interface RecorderSettings extends RecordingSettings {
  address: UpstreamAddress
  host: string
  /** 0 for any free port. */
  port: number
  timeoutMs: number
  /** Key that signs requests; null when clients sign. */
  signWith: SigningKey | null
}

export interface Recorder {
  port: number
  /** Numbers of events, files and lost events so far. */
  counts(): Recording['counts']
  /** Ends all connections and completes the recording. */
  stop(): Promise<void>
}

/** Limits of one body or message, and of all in memory. */
const KEPT_MAX = 8 * 1024 * 1024
const HELD_MAX = 256 * 1024 * 1024

/** Maximum concurrent clients; one more is closed. */
const CLIENTS_MAX = 10_000

interface Client {
  wire: Wire
  connection: ProxiedConnection
}

/** Starts recording; a UserError explains a failure. */
export async function startRecorder(settings: RecorderSettings): Promise<Recorder> {
  const recording = await Recording.begin(settings)
  const context = contextOf(settings, recording)
  const clients = new Set<Client>()
  try {
    const listener = Bun.listen<Client>({
      hostname: bareHost(settings.host),
      port: settings.port,
      socket: {
        open(socket) {
          if (clients.size >= CLIENTS_MAX) {
            context.complain(`there are ${clients.size} connections, and one more was closed`)
            socket.terminate()
            return
          }
          socket.setNoDelay(true)
          const wire = new Wire(socket)
          socket.data = { wire, connection: new ProxiedConnection(wire, context) }
          clients.add(socket.data)
        },
        data: ({ data }, bytes) => data?.connection.clientData(bytes),
        drain: ({ data }) => data?.wire.drain(),
        close({ data }) {
          // A connection beyond the limit was never accepted.
          if (!data) return
          clients.delete(data)
          data.wire.closed()
          data.connection.clientClosed()
        },
      },
    })
    return {
      port: listener.port,
      counts: () => recording.counts,
      async stop() {
        listener.stop()
        for (const { connection } of [...clients]) connection.stop()
        await recording.end()
      },
    }
  } catch (error) {
    await recording.discard()
    throw new UserError(portFailure(error, settings))
  }
}

function contextOf(settings: RecorderSettings, recording: Recording): ProxyContext {
  const { address, redaction, clock, timeoutMs, signWith, say } = settings
  const budget: KeepingBudget = { oneMax: KEPT_MAX, left: HELD_MAX }
  let [connections, said] = [0, '']
  return {
    address,
    recording,
    redaction,
    budget,
    clock,
    timeoutMs,
    sign: signWith === null ? null : targetSigner(signWith, clock),
    complain(line) {
      if (line !== said) say(line)
      said = line
    },
    nextConnection: () => ++connections,
  }
}

// A client's connection and its own one to the service: bytes pass through, and are parsed.

/** A client's own connection to the service, opened on first use. */
class ServiceLink {
  private wire: Wire | null = null
  private unsent: Buffer[] = []
  private isConnecting = false
  private isCut = false

  constructor(
    private readonly client: Wire,
    private readonly address: UpstreamAddress,
    private readonly events: UpstreamEvents & { unreachable(why: string): void },
  ) {}

  send(bytes: Buffer): void {
    if (this.wire) return this.wire.send(bytes)
    if (bytes.length > 0) this.unsent.push(Buffer.from(bytes))
    if (this.isConnecting || this.isCut) return
    this.isConnecting = true
    // Stops reading beyond what has arrived already.
    this.client.pause()
    connectUpstream(this.address, this.events).then(
      (wire) => this.connected(wire),
      (error: Error) => this.isCut || this.events.unreachable(error.message),
    )
  }

  /** Closes it once everything has been sent. */
  end(): void {
    if (this.wire) this.wire.end()
    else this.isCut = true
  }

  /** Closes it now, or as soon as it is open. */
  cut(): void {
    this.isCut = true
    this.wire?.cut()
  }

  private connected(wire: Wire): void {
    if (this.isCut) return wire.cut()
    this.wire = wire
    wire.drawFrom(this.client)
    this.client.drawFrom(wire)
    this.client.resume()
    for (const bytes of this.unsent) wire.send(bytes)
    this.unsent = []
  }
}

/** Callbacks of a connection to the service. */
interface UpstreamEvents {
  data(bytes: Buffer): void
  /** The service closed it; `why` is set after an error. */
  closed(why: string | null): void
}

/** Connects to the service; rejects with the system's error. Certificates are checked. */
async function connectUpstream(
  { hostname, port, isTls }: UpstreamAddress,
  events: UpstreamEvents,
): Promise<Wire> {
  const secured = Promise.withResolvers<void>()
  if (!isTls) secured.resolve()
  let why: string | null = null
  let isSecured = !isTls
  const socket = await Bun.connect<Wire>({
    hostname,
    port,
    ...(isTls ? { tls: { serverName: hostname, rejectUnauthorized: true } } : {}),
    socket: {
      data: (_, bytes) => events.data(bytes),
      drain: ({ data }) => data.drain(),
      handshake(_, isSecure, error) {
        isSecured = isSecure && !error
        if (isSecured) secured.resolve()
        else secured.reject(error ?? new Error('no TLS connection came about'))
      },
      error(_, error) {
        why = error.message
      },
      close({ data }) {
        data?.closed()
        if (isSecured) return events.closed(why)
        secured.reject(new Error(why ?? 'it closed the connection before it was secure'))
      },
    },
  })
  const wire = new Wire(socket)
  socket.data = wire
  socket.setNoDelay(true)
  await secured.promise.catch((error) => {
    wire.cut()
    throw error
  })
  return wire
}

// The recorder's own responses, when the service gives none.

/** The response, after which the connection ends. */
function ownAnswer(status: number, message: string): { head: MessageHead; body: Buffer } {
  const body = Buffer.from(`tapewright record: ${message}\n`)
  const fields = [
    headerField('content-type', 'text/plain; charset=utf-8'),
    headerField('content-length', String(body.length)),
    headerField('connection', 'close'),
  ]
  return { head: { first: `HTTP/1.1 ${status} ${STATUS_CODES[status]}`, fields }, body }
}

/** Limit of bytes that a client may send ahead of a response. */
const AHEAD_MAX = 256 * 1024
/** Timeout of a head after its connection or its first byte, ms. */
const HEAD_MS = 30_000

class ProxiedConnection {
  private readonly service: ServiceLink
  private fromClient: Buffer = EMPTY
  private passage: Passage | null = null
  private socket: RecordedSocket | null = null
  private hasEnded = false
  /** Cancels the timeout of a head in progress. */
  private stopHeadWait: (() => void) | null = null

  constructor(
    private readonly client: Wire,
    private readonly context: ProxyContext,
  ) {
    this.awaitHead()
    this.service = new ServiceLink(client, context.address, {
      data: (bytes) => this.serviceData(bytes),
      closed: (why) => this.serviceClosed(why),
      unreachable: (why) => this.fail(502, `${context.address.shown} cannot be reached: ${why}`),
    })
  }

  /** Takes bytes from the client. */
  clientData(bytes: Buffer): void {
    if (this.hasEnded) return
    if (this.socket) return this.socketData('in', bytes)
    this.fromClient = this.fromClient.length === 0 ? bytes : Buffer.concat([this.fromClient, bytes])
    this.passRequests()
  }

  /** Handles the client's close. */
  clientClosed(): void {
    this.end('client', 'the client left before the answer was whole')
  }

  /** Ends the connection when the recorder stops. */
  stop(): void {
    this.end('recorder', 'the recorder ended before the answer was whole')
    this.client.end()
  }

  private awaitHead(): void {
    this.stopHeadWait ??= this.context.clock.startTimer(HEAD_MS, () =>
      this.fail(408, `the client sent no whole head within ${HEAD_MS / 1000} s`),
    )
  }

  private endHeadWait(): void {
    this.stopHeadWait?.()
    this.stopHeadWait = null
  }

  private end(by: 'client' | 'recorder', why: string): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.endHeadWait()
    this.socket?.end(by)
    if (this.passage) this.complete(this.passage, why)
    // A socket's last bytes from the client still go to the service.
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

  /** Forwards some of the client's bytes; false when it has to wait. */
  private passRequest(): boolean {
    if (this.passage === null) {
      const end = headEnd(this.fromClient)
      if (end === null) {
        this.awaitHead()
        return false
      }
      this.endHeadWait()
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
    const requested = outgoingRequest(head, this.context)
    const stopWaiting = clock.startTimer(timeoutMs, () =>
      this.fail(504, `${address.shown} did not answer within ${timeoutMs / 1000} s`),
    )
    this.passage = new Passage(requested, this.context, stopWaiting)
    this.service.send(headBytes(requested.head))
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
    if (passage === null) throw new MessageFlaw(`sent ${bytes.length} bytes without a request`)
    const progress = passage.takeAnswer(bytes, (part) => this.client.send(part))
    if (progress.is === 'going on') return
    if (progress.is === 'switched') return this.switchToSocket(passage, progress)
    this.complete(passage, null)
    if (progress.rest.length > 0)
      throw new MessageFlaw(`sent ${progress.rest.length} bytes more than its answer has`)
    if (!passage.request.isDone) return this.close()
    // Queued bytes are forwarded before more are read.
    if (this.fromClient.length <= AHEAD_MAX) this.client.resume()
    this.passRequests()
  }

  private switchToSocket(
    passage: Passage,
    { head, rest }: { head: MessageHead; rest: Buffer },
  ): void {
    passage.stopWaiting()
    this.socket = openedSocket(passage.requested, passage.exchange.startedMs, head, this.context)
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

  /**
   * Handles a missing or incomplete response: the client gets an error where that is still
   * possible.
   */
  private fail(status: number, message: string): void {
    if (this.hasEnded) return
    const { passage } = this
    this.context.complain(message)
    if (passage?.isAnswered) this.client.cut()
    else if (passage || status === 400 || status === 408) {
      const { head, body } = ownAnswer(status, message)
      passage?.exchange.answered(head, status)
      passage?.exchange.answerBody.add(body)
      this.client.send(headBytes(head))
      if (passage?.requested.method !== 'HEAD') this.client.send(body)
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
    this.endHeadWait()
    this.client.end()
    this.service.cut()
  }
}

const EMPTY = Buffer.alloc(0)
