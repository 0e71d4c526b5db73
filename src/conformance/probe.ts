/**
 * What a case looks at the target with. Every wait is bounded; what does not hold is thrown as a
 * CheckFailure, what cannot be looked at as a SkipCase.
 */

import type { Method } from '../contract/operation.ts'
import type { Credentials } from '../contract/signature.ts'
import { type Evidence, evidenceAfter, hasValues, operationAt } from './answer-content.ts'
import { CheckFailure, SkipCase, TooManySockets } from './case-outcome.ts'
import { Conversation, type OpenedSocket, type Said } from './conversation.ts'
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
import { parsedJson } from './responses.ts'
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

/** What a case asks for, signed and sent when it is its turn. */
interface CallerSettings {
  target: Target
  transport: TargetTransport
  signing: SigningSource
  options: ProbeOptions
}

/** A SkipCase says that a key, a permission or the patience of the target is lacking. */
class TargetCaller {
  private readonly conversation: Conversation
  private readonly base: string

  constructor(private readonly settings: CallerSettings) {
    this.conversation = settings.options.conversation ?? new Conversation(() => 0)
    this.base = settings.transport.base ?? ''
  }

  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const { method = 'GET', path, signedIn } = request
    const said = this.conversation.asks(request, this.base)
    const received = await this.sent(request, said, async (isAgain) => {
      const signed = this.sign(request)
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

  /** A socket, or the answer that was given in place of one. */
  async connect(request: ProbeRequest): Promise<OpenedSocket | ProbeExchange> {
    const said = this.conversation.opens(request, this.base)
    const opened = await this.sent(request, said, async (isAgain) =>
      this.settings.transport.connect(pathOf(request, this.sign(request)), isAgain),
    )
    if (isSocket(opened)) return { socket: opened, log: this.conversation.logOf(said) }
    return { method: 'GET', path: request.path, ...opened, json: parsedJson(opened.text) }
  }

  keyOf(who: KeyRole | TargetKey): TargetKey {
    if (typeof who !== 'string') return who
    const { target } = this.settings
    return target.keys[who] ?? skip(missingText(who, target))
  }

  /** Sends when it is its turn, and again after what says nothing of the request. */
  private async sent<T extends Received>(
    { method = 'GET', path, signedIn, signedBy = 'full', allowRateLimit, atOnce }: ProbeRequest,
    said: Said,
    send: (isAgain: boolean) => Promise<T>,
  ): Promise<T> {
    if (signedIn !== 'nowhere') this.keyOf(signedBy)
    const { signing, options } = this.settings
    const received = await passThrough(atOnce ? undefined : options.gate, send, {
      mayRepeat: method === 'GET' || isRead(method, path),
      allowRateLimit: allowRateLimit === true,
      opensSocket: said.kind === 'socket',
      nowMs: () => signing.nowS() * 1000,
    })
    if (!isSocket(received)) this.conversation.answered(said, received)
    if (!allowRateLimit && isRateRefusal(received)) {
      if (said.kind === 'socket') throw new TooManySockets()
      skip('the target answers no more for now')
    }
    const permission = signedBy === 'full' ? deniedPermission(received) : null
    if (permission !== null && (await options.lacks?.(permission)))
      skip(`the key lacks the permission ${permission}`)
    return received
  }

  private sign({ signedBy = 'full', ...how }: ProbeRequest): Partial<Credentials> {
    return how.signedIn === 'nowhere'
      ? {}
      : signedParameters(this.keyOf(signedBy), how, this.settings.signing)
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
  /** What has been said to it that it could find wrong. */
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
   * For finding out whom and what to ask about. What is answered there is not what the case is to
   * judge, and what is wrong there skips it: other cases tell.
   */
  get lookup(): Probe {
    const { declarations: _, ...options } = this.options
    return new LookupProbe(this.target, this.transport, this.machine, options)
  }

  /** The same case at another target, which it has to judge as well. */
  at({ target, transport }: OtherTarget): Probe {
    return new Probe(target, transport, this.machine, this.options)
  }

  /** Says that the case judges this, which a lookup has found. */
  judges(value: unknown): void {
    if (hasValues(value)) this.evidence = 'values'
  }

  /** Sends a request, again when it was one too many: what is answered is about the request. */
  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const exchange = await this.caller.request(request)
    this.weigh(exchange)
    this.options.onAnswer?.(exchange)
    this.judge(this.options.declarations?.answerFlaw(exchange))
    return exchange
  }

  /**
   * What is found once serves every case of a run: who and what there is at the target. What could
   * not be found is looked for again.
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

  /** A socket, or the answer that was given in place of one. */
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

  /** How often what must agree is looked at again before it counts as different. */
  get retries(): number {
    return this.options.retries ?? RETRIES
  }

  /** Waits between two looks at the same. */
  async pause(ms: number): Promise<void> {
    await this.options.gate?.pause(ms)
  }

  /** Throws a CheckFailure when it does not hold. */
  assert(condition: unknown, message: string, evidence?: unknown): asserts condition {
    if (!condition) throw new CheckFailure(message, evidence)
  }

  /** One that no other request has, unless it is given to more than one. */
  newNonce(): string {
    return this.signing.nonce()
  }

  skip(why: string): never {
    throw new SkipCase(why)
  }

  /** Lets the time of the target pass: by its control plane, or by patience. */
  async letTimePass(ms: number): Promise<void> {
    const { control, patienceMs } = this.target
    if (control) return control.advance(ms)
    const { wait } = this.signing
    if (ms > patienceMs || !wait)
      this.skip(`it takes ${ms / 1000} s, for which the patience is too short`)
    await wait(ms)
  }

  /** Lets so much time pass, or without a control plane as much of it as there is patience for. */
  async waitUpTo(ms: number): Promise<void> {
    const { control, patienceMs } = this.target
    await this.letTimePass(control ? ms : Math.min(ms, patienceMs))
  }

  /**
   * Lets time pass in spans, and listens after each, until there is enough or they are over.
   * Without a control plane they are as long as there is patience for, and all of them take no
   * longer than that, or than one span.
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
   * Holds the time of the target where it can be held: what takes long here takes none there.
   * Answers with whether it is held.
   */
  async holdTime(): Promise<boolean> {
    await this.target.control?.advance(0)
    return this.target.control !== undefined
  }

  keyOf(who: KeyRole | TargetKey): TargetKey {
    return this.caller.keyOf(who)
  }

  /** Closes what was left open. */
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

  override assert(condition: unknown, message: string): asserts condition {
    if (!condition) this.skip(`nothing to ask about can be found: ${message}`)
  }
}

/** So many times, with growing pauses: a quarter of a minute. */
const RETRIES = 12

// What a run has found out about its target, once for all cases.

/** What was found by that name through this transport; looked for again where that failed. */
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

/** Told of what is answered and pushed, also of lookups. */
export interface ProbeListener {
  onAnswer?(exchange: ProbeExchange): void
  onFrame?(path: string, frame: SocketFrame): void
}

/** Says where what is answered or pushed is not what is declared; null when it is. */
export interface DeclarationJudge {
  answerFlaw(exchange: ProbeExchange): Flaw | null
  frameFlaw(path: string, frame: SocketFrame): Flaw | null
}

/** What a probe needs besides its target. */
interface ProbeOptions extends ProbeListener {
  /** Keeps what is said for the report. */
  conversation?: Conversation
  /** What is not as it is declared fails the case, whatever it looks at; nothing is, without. */
  declarations?: DeclarationJudge
  /** Requests go at once without. */
  gate?: Gate
  /** How often what must agree is looked at again before it counts as different. */
  retries?: number
  /** Whether the main key is known to lack a permission: what asks for it cannot be looked at. */
  lacks?: (permission: string) => Promise<boolean>
}

/** What is wrong with what was said, and what was expected and found where both are values. */
export interface Flaw {
  message: string
  evidence?: { expected: unknown; found: unknown }
}

// A case: one sentence of what must hold, and how to find out.

export interface Case {
  /** `sockets.ack.echo`: topic first. */
  id: string
  /** A sentence: what must hold. */
  title: string
  /** Ids of the requirements that it checks. */
  checks: readonly string[]
  needs?: readonly Need[]
  /** It changes what others look at, or counts: nothing else may run meanwhile. */
  exclusive?: true
  /**
   * It lets time pass: where a control plane moves the target's clock nothing else may run
   * meanwhile. Elsewhere it waits, beside the others.
   */
  passesTime?: true
  run(probe: Probe): Promise<void>
}
