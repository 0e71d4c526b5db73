/** What a case asks for, signed and sent when it is its turn. */
import type { Method } from '../contract/operation.ts'
import type { Credentials } from '../contract/signature.ts'
import { SkipCase, TooManySockets } from './case-outcome.ts'
import { Conversation, type OpenedSocket, type Said } from './conversation.ts'
import { deniedPermission } from './denied-permission.ts'
import { passThrough } from './gate.ts'
import { parsedJson } from './parsed-json.ts'
import type { ProbeOptions } from './probe-options.ts'
import {
  type ProbeExchange,
  type ProbeRequest,
  type SigningSource,
  signedParameters,
} from './probe-request.ts'
import { isRateRefusal } from './rate-refusal.ts'
import { bodyOf, pathOf } from './request-text.ts'
import { operationAt } from './said-data.ts'
import { type KeyRole, missingText, type Target, type TargetKey } from './target.ts'
import { isSocket, type Received, type TargetTransport } from './target-transport.ts'

interface CallerSettings {
  target: Target
  transport: TargetTransport
  signing: SigningSource
  options: ProbeOptions
}

/** A SkipCase says that a key, a permission or the patience of the target is lacking. */
export class TargetCaller {
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
