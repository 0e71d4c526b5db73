/**
 * A client of the contract. It signs, takes answers out of their envelopes and throws typed
 * errors; its sockets sign again and subscribe again when they are lost.
 */
import { type Machine, machine } from '../clock/machine.ts'
import { PREFIXES } from '../contract/index.ts'
import type { Operation } from '../contract/operation.ts'
import { CONTRACT } from '../contract/operations.ts'
import { dice } from '../random/dice.ts'
import { readAnswer } from './answer.ts'
import { ConnectionError } from './errors.ts'
import { type Given, type Outgoing, requestOf } from './request.ts'
import type { Ask, Contract, Data, Pushed, Streams, Wanted } from './shapes.ts'
import { signer } from './signer.ts'
import { Lines } from './socket/lines.ts'
import type { Listener, Subscription } from './socket/subscription.ts'

export interface ClientSettings {
  /** Where the service is: `https://…`, `http://127.0.0.1:4010`, or the base URL of a sandbox. */
  baseUrl: string
  /** The same for sockets; made from `baseUrl` when left out. */
  wsBaseUrl?: string
  accessKey: string
  secretKey: string
  /** Longest wait for an answer, ms (10 000). */
  timeoutMs?: number
  /** A text that differs each time it is asked for. */
  nonce?: () => string
  /** Told when a connection is lost, refused or complained to; the client goes on by itself. */
  onTrouble?: (error: ConnectionError) => void
  /** Time and timers; the machine's when left out. */
  by?: Machine
  /** Sends requests; the runtime's own when left out. */
  send?: (url: string, init: RequestInit) => Promise<Response>
}

/** One function for each operation, `client.perpdex.fillsOfAddress({path, query, body})`. */
export type Client = {
  [G in keyof Contract]: { [N in keyof Contract[G]]: Call<Contract[G][N]> }
} & {
  /** Follows a channel: `client.subscribe('l2Book', {coin: 'BTC'}, (book, {stale}) => …)`. */
  subscribe<C extends keyof Streams>(
    channel: C,
    wanted: Wanted<Streams[C]>,
    listener: Listener<Pushed<Streams[C]>>,
  ): Subscription
  /** Closes every connection. */
  close(): void
}

type Call<O> =
  Record<never, never> extends Ask<O>
    ? (ask?: Ask<O>) => Promise<Data<O>>
    : (ask: Ask<O>) => Promise<Data<O>>

/** A client of one key. */
export function client(settings: ClientSettings): Client {
  const by = settings.by ?? machine
  const sign = signer(settings, by, settings.nonce)
  const base = settings.baseUrl.replace(/\/+$/, '')
  const wsBase = (settings.wsBaseUrl ?? base.replace(/^http/, 'ws')).replace(/\/+$/, '')
  const carry = carrier(settings, base, by)
  const lines = new Lines({
    address: (path, query) => `${wsBase}${PREFIXES[0]}${path}?${query}`,
    sign,
    by,
    chance: dice(by.nowMs(), 'client').unit,
    trouble: settings.onTrouble ?? (() => {}),
  })
  const call =
    (operation: Operation) =>
    async (given: Given = {}) =>
      readAnswer(operation, await carry(operation, requestOf(operation, given, sign())))
  return {
    ...eachOperation(call),
    subscribe: lines.subscribe.bind(lines),
    close: () => lines.close(),
  } as unknown as Client
}

function eachOperation(call: (operation: Operation) => unknown): object {
  const groups = Object.entries(CONTRACT).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([name, operation]) => [
        name,
        call(operation),
      ]),
    ),
  ])
  return Object.fromEntries(groups)
}

/** Sends a request and reads its text, all of it within the time. */
function carrier({ timeoutMs = 10_000, send = fetch }: ClientSettings, base: string, by: Machine) {
  return async ({ id }: Operation, { target, ...init }: Outgoing) => {
    const abort = new AbortController()
    const cancel = by.timer(timeoutMs, () => abort.abort())
    try {
      const response = await send(`${base}${PREFIXES[0]}${target}`, {
        ...init,
        signal: abort.signal,
      })
      const { status, headers } = response
      const text = await response.text()
      return { status, text, type: headers.get('content-type'), retryAfter: headers.get(RETRY) }
    } catch (cause) {
      const late = `no answer within ${timeoutMs} ms`
      throw new ConnectionError(id, abort.signal.aborted ? late : reason(cause, base), { cause })
    } finally {
      cancel()
    }
  }
}

const RETRY = 'retry-after'

/** The runtime's words without the address, which has the signature in it. */
function reason(cause: unknown, base: string): string {
  const { code } = cause as { code?: string }
  return `${base} cannot be reached${code === undefined ? '' : ` (${code})`}`
}
