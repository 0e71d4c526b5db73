/**
 * A case's access to the target. Every wait is bounded; a failed condition is thrown as a
 * CheckFailure, an impossible check as a SkipCase.
 */

import type { Method } from '../contract/operation.ts'
import type { Credentials } from '../contract/signature.ts'
import { type Evidence, evidenceAfter, hasValues, operationAt } from './answer-content.ts'
import { BlockedCase, CheckFailure, SkipCase, TooManySockets } from './case-outcome.ts'
import {
  Conversation,
  type OpenedSocket,
  type Said,
  type SaidSocket,
  type SocketLog,
} from './conversation.ts'
import type { Ledger } from './ledger/ledger.ts'
import { type Gate, isRateRefusal, passThrough } from './pace.ts'
import {
  bodyOf,
  type ProbeExchange,
  type ProbeRequest,
  pathOf,
  type SigningSource,
  signedParameters,
} from './probe-request.ts'
import { ProbeSocket, type SocketFrame } from './probe-socket.ts'
import { isJsonObject, parsedJson } from './responses.ts'
import {
  type KeyRole,
  missingText,
  type Need,
  type OtherTarget,
  type Target,
  type TargetKey,
} from './target.ts'
import {
  deniedPermission,
  isSocket,
  type Received,
  type TargetTransport,
} from './target-transport.ts'

/** Settings of a caller, which signs requests and sends them at their turn. */
interface CallerSettings {
  target: Target
  transport: TargetTransport
  signing: SigningSource
  options: ProbeOptions
}

/** Throws a SkipCase for a missing key or permission, or a target that refuses to wait. */
class TargetCaller {
  private readonly conversation: Conversation
  private readonly base: string

  constructor(private readonly settings: CallerSettings) {
    this.conversation = settings.options.conversation ?? new Conversation(() => 0)
    this.base = settings.transport.base ?? ''
  }

  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const { method = 'GET', path, signedIn } = request
    const logged = this.conversation.asks(request, this.base)
    const received = await this.sent(request, logged, async (isAgain) => {
      const signed = this.sign(request, logged)
      const inBody = signedIn === 'body'
      const body = bodyOf(request, inBody ? signed : {})
      const target = pathOf(request, inBody ? {} : signed)
      return this.settings.transport.request({
        method,
        path: target,
        ...(body ? { body } : {}),
        ...(isAgain ? { isAgain } : {}),
      })
    })
    return { method, path, ...received, json: parsedJson(received.text) }
  }

  /** A socket, or the response in place of one. */
  async connect(request: ProbeRequest): Promise<OpenedSocket | ProbeExchange> {
    const logged = this.conversation.opens(request, this.base)
    const signed = () => pathOf(request, this.sign(request, logged))
    const opened = await this.sent(request, logged, async (isAgain) =>
      this.settings.transport.connect(signed(), isAgain, signed),
    )
    if (isSocket(opened)) return { socket: opened, log: this.logOf(request, logged) }
    return { method: 'GET', path: request.path, ...opened, json: parsedJson(opened.text) }
  }

  /** Frames are logged for the report of the case, and kept for the judgement of the run. */
  private logOf(request: ProbeRequest, said: SaidSocket): SocketLog {
    const log = this.conversation.logOf(said)
    const kept = this.settings.options.ledger?.opened(this.settings.transport, request)
    if (kept === undefined) return log
    return {
      frame: (from, data) => {
        log.frame(from, data)
        kept.frame(from, data)
      },
      ended: (code) => {
        log.ended(code)
        kept.ended(code)
      },
    }
  }

  keyOf(who: KeyRole | TargetKey): TargetKey {
    if (typeof who !== 'string') return who
    const { target } = this.settings
    return target.keys[who] ?? skip(missingText(who, target))
  }

  /** Sends at its turn, and again after an outcome that is no evidence about the request. */
  private async sent<T extends Received>(
    request: ProbeRequest,
    said: Said,
    send: (isAgain: boolean) => Promise<T>,
  ): Promise<T> {
    const { method = 'GET', path, signedIn, signedBy = 'full', allowRateLimit, atOnce } = request
    if (signedIn !== 'nowhere') this.keyOf(signedBy)
    const { signing, options } = this.settings
    const received = await passThrough(atOnce ? undefined : options.gate, send, {
      mayRepeat: method === 'GET' || isRead(method, path),
      allowRateLimit: allowRateLimit === true,
      opensSocket: said.kind === 'socket',
      nowMs: () => signing.nowS() * 1000,
    })
    if (!isSocket(received)) this.conversation.answered(said, received)
    if (!isSocket(received) && said.kind === 'request')
      options.ledger?.answered(this.settings.transport, request, received)
    if (!allowRateLimit && isRateRefusal(received)) {
      if (said.kind === 'socket') throw new TooManySockets()
      skip('the target has stopped answering for now')
    }
    const permission = signedBy === 'full' ? deniedPermission(received) : null
    if (permission !== null && (await options.lacks?.(permission)))
      skip(`the key lacks the permission ${permission}`)
    return received
  }

  private sign({ signedBy = 'full', ...how }: ProbeRequest, said: Said): Partial<Credentials> {
    if (how.signedIn === 'nowhere') return {}
    const signed = signedParameters(this.keyOf(signedBy), how, this.settings.signing)
    const { SignatureNonce: nonce } = signed
    if (nonce) said.signature.nonce = nonce
    return signed
  }
}

/** Whether it is declared, and changes nothing. */
function isRead(method: Method, path: string): boolean {
  const operation = operationAt(method, path)
  return operation !== undefined && operation.changes === undefined
}

function skip(why: string): never {
  throw new SkipCase(why)
}

export class Probe {
  /** Evidence so far. */
  evidence: Evidence = 'nothing'
  private readonly sockets: ProbeSocket[] = []
  private isClosed = false
  private readonly caller: TargetCaller
  private readonly signing: SigningSource

  constructor(
    readonly target: Target,
    private readonly transport: TargetTransport,
    private readonly machine: SigningSource,
    private readonly options: ProbeOptions = {},
  ) {
    const { nowMs } = target
    this.signing = nowMs ? { ...machine, nowS: () => Math.floor(nowMs() / 1000) } : machine
    this.caller = new TargetCaller({ target, transport, signing: this.signing, options })
  }

  /**
   * For finding subjects. Its responses are not judged by the case, and a flaw there skips it:
   * other cases judge them.
   */
  get lookup(): Probe {
    const { declarations: _, ...options } = this.options
    return new LookupProbe(this.target, this.transport, this.machine, options)
  }

  /** The same case at another target, which it judges as well. */
  at({ target, transport }: OtherTarget): Probe {
    return new Probe(target, transport, this.machine, this.options)
  }

  /** Marks a value found by a lookup as judged. */
  judges(value: unknown): void {
    if (hasValues(value)) this.evidence = 'values'
  }

  /** Sends a request, again after a rate limit: the response is about the request. */
  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const exchange = await this.caller.request(request)
    this.weigh(exchange)
    this.options.onAnswer?.(exchange, request)
    this.judge(this.options.declarations?.answerFlaw(exchange))
    return exchange
  }

  /**
   * Caches a lookup for all cases of a run: subjects of the target. A failed lookup is repeated.
   */
  once<T>(name: string, look: (lookup: Probe) => Promise<T>): Promise<T> {
    return lookedUpOnce(this.transport, name, () => look(this.lookup))
  }

  /** A socket; a CheckFailure when the target does not open one. */
  async connect(request: ProbeRequest): Promise<ProbeSocket> {
    const opened = await this.tryConnect(request)
    this.assert(opened instanceof ProbeSocket, `a signed socket opens on ${request.path}`, opened)
    return opened
  }

  /** A socket, or the response in place of one. */
  async tryConnect(request: ProbeRequest): Promise<ProbeSocket | ProbeExchange> {
    const opened = await this.caller.connect(request)
    if ('json' in opened) {
      this.weigh(opened)
      return opened
    }
    const { gate, declarations } = this.options
    const listener = {
      onFrame: (frame: SocketFrame) => {
        this.options.onFrame?.(request.path, frame)
        this.judge(declarations?.frameFlaw(request.path, frame))
      },
      onFlood: (flaw: string) => gate?.flooded(`${request.path}: ${flaw}`),
    }
    const socket = new ProbeSocket(opened, this, listener, this.target.replyMs, this.machine.nowS)
    this.sockets.push(socket)
    if (this.isClosed) socket.close()
    return socket
  }

  /** Retries before values that must agree count as different. */
  get retries(): number {
    return this.options.retries ?? RETRIES
  }

  /** Waits between two retries. */
  async pause(ms: number): Promise<void> {
    await this.options.gate?.pause(ms)
  }

  /** Throws a CheckFailure unless the condition holds. */
  assert(condition: unknown, message: string, evidence?: unknown): asserts condition {
    if (!condition) throw new CheckFailure(message, evidence)
  }

  /** A unique nonce, unless it is used more than once. */
  newNonce(): string {
    return this.signing.nonce()
  }

  skip(why: string): never {
    throw new SkipCase(why)
  }

  /** Lets the target's time pass: by its control plane, or by patience. */
  async letTimePass(ms: number): Promise<void> {
    const { control, patienceMs } = this.target
    if (control) return control.advance(ms)
    const { wait } = this.signing
    if (ms > patienceMs || !wait)
      this.skip(`it takes ${ms / 1000} s, for which the patience is too short`)
    await wait(ms)
  }

  /** Lets a time pass, or without a control plane as much of it as patience allows. */
  async waitUpTo(ms: number): Promise<void> {
    const { control, patienceMs } = this.target
    await this.letTimePass(control ? ms : Math.min(ms, patienceMs))
  }

  /**
   * Lets time pass in spans, and reads after each, until there is enough or they are over. Without
   * a control plane, spans are bounded by patience, and so is their total, or by one span.
   */
  async listenUntil(
    isEnough: () => boolean,
    listen: () => Promise<void>,
    { spanMs, spans }: { spanMs: number; spans: number },
  ): Promise<void> {
    const { control, patienceMs } = this.target
    const longestMs = Math.max(spanMs, patienceMs)
    const affordable = control ? spans : Math.floor(longestMs / Math.min(spanMs, patienceMs))
    for (let span = 0; span < Math.min(spans, affordable) && !isEnough(); span++) {
      await this.waitUpTo(spanMs)
      await listen()
    }
  }

  /**
   * Holds the target's time where possible: slow work here takes no time there. Returns whether it
   * is held.
   */
  async holdTime(): Promise<boolean> {
    await this.target.control?.advance(0)
    return this.target.control !== undefined
  }

  keyOf(who: KeyRole | TargetKey): TargetKey {
    return this.caller.keyOf(who)
  }

  /** Closes open sockets. */
  close(): void {
    this.isClosed = true
    for (const socket of this.sockets) socket.close()
  }

  private judge(flaw: Flaw | null = null): void {
    this.assert(flaw === null, flaw?.message ?? '', flaw?.evidence)
  }

  private weigh({ status, json }: Pick<ProbeExchange, 'status' | 'json'>): void {
    this.evidence = evidenceAfter(this.evidence, status, json)
  }
}

class LookupProbe extends Probe {
  override get lookup(): Probe {
    return this
  }

  override assert(condition: unknown, message: string, evidence?: unknown): asserts condition {
    if (condition) return
    const reason = `no subject can be found: ${message}`
    throw isRefusedThere(evidence) ? new SkipCase(reason) : new BlockedCase(reason)
  }
}

/** Whether a lookup was refused: the target may not have what it is about. */
function isRefusedThere(evidence: unknown): boolean {
  if (!isJsonObject(evidence) || !isJsonObject(evidence.found)) return false
  const { status } = evidence.found
  return typeof status === 'number' && status < 500 && status !== 401
}

/** Number of retries with growing pauses: a quarter of a minute. */
const RETRIES = 12

// Lookups of a run about its target, shared by all cases.

/** Result of a named lookup through this transport; repeated after a failure. */
function lookedUpOnce<T>(
  transport: TargetTransport,
  name: string,
  look: () => Promise<T>,
): Promise<T> {
  const known = found.get(transport) ?? new Map<string, Promise<unknown>>()
  found.set(transport, known)
  const earlier = known.get(name) as Promise<T> | undefined
  if (earlier) return earlier
  const looked = look()
  known.set(name, looked)
  looked.catch(() => known.delete(name))
  return looked
}

const found = new WeakMap<TargetTransport, Map<string, Promise<unknown>>>()

/** Receives responses and pushes, including those of lookups. */
export interface ProbeListener {
  onAnswer?(exchange: ProbeExchange, request: Pick<ProbeRequest, 'body'>): void
  onFrame?(path: string, frame: SocketFrame): void
}

/** Compares responses and pushes with their declarations; null for no flaw. */
export interface DeclarationJudge {
  answerFlaw(exchange: ProbeExchange): Flaw | null
  frameFlaw(path: string, frame: SocketFrame): Flaw | null
}

/** Options of a probe besides its target. */
interface ProbeOptions extends ProbeListener {
  /** Log for the report. */
  conversation?: Conversation
  /** Differences from declarations fail any case; without a judge none do. */
  declarations?: DeclarationJudge
  /** Keeps what is received for the judgement of the whole run. */
  ledger?: Ledger
  /** Without one, requests are sent at once. */
  gate?: Gate
  /** Retries before values that must agree count as different. */
  retries?: number
  /** Whether the main key lacks a permission: requests that need it are skipped. */
  lacks?: (permission: string) => Promise<boolean>
}

/** A flaw, and the expected and found values where both are values. */
export interface Flaw {
  message: string
  evidence?: { expected: unknown; found: unknown }
}

// A case: one sentence of a requirement, and its check.

export interface Case {
  /** `sockets.ack.echo`: topic first. */
  id: string
  /** The requirement as a sentence. */
  title: string
  /** Ids of the requirements that it checks. */
  checks: readonly string[]
  needs?: readonly Need[]
  /** It changes shared state or counts: it must run alone. */
  exclusive?: true
  /**
   * It lets time pass: with a control plane, which moves the target's clock, it must run alone.
   * Otherwise it waits beside other cases.
   */
  passesTime?: true
  run(probe: Probe): Promise<void>
}
