/**
 * A client of the contract, of those groups that it is given. It signs, takes answers out of their
 * envelopes and throws typed errors; its sockets sign again and subscribe again when they are lost.
 */
import { hostClock } from '../clock/system-clock.ts'
import { webSocketClass } from '../platform/web-socket.ts'
import { randomUnits } from '../random/random-source.ts'
import { CHANNEL_LINES, type ChannelName, type ChannelTypes } from './contract/channels.ts'
import type { Contract } from './contract-types.ts'
import { ClientError, ConnectionError } from './errors.ts'
import type { CallOptions } from './requests/call-options.ts'
import { ClockSkew } from './requests/clock-skew.ts'
import { type CallsOf, operationCall } from './requests/operation-call.ts'
import { OperationCaller } from './requests/operation-caller.ts'
import { RateLimiter } from './requests/rate-limiter.ts'
import type { CallParameters } from './requests/request.ts'
import { RequestSender } from './requests/request-sender.ts'
import { signer } from './requests/signer.ts'
import type { ClientSettings } from './settings.ts'
import { channelCall } from './streams/channel-call.ts'
import { ConnectionPool } from './streams/connection-pool.ts'
import type { Listener } from './streams/push.ts'
import { socketAddresses } from './streams/socket-addresses.ts'
import { streamSettings } from './streams/stream-settings.ts'
import type { SubscribeOptions, Subscription } from './streams/subscription.ts'

/** What a client has besides its groups of operations. */
export interface StreamCalls {
  /**
   * Follows a channel: `subscribe('l2Book', {coin: 'BTC'}, (book, {stale}) => …)`, or
   * `for await (const {data} of subscribe('l2Book', {coin: 'BTC'}))`.
   */
  subscribe<C extends ChannelName>(
    channel: C,
    wanted: ChannelTypes[C]['subscription'],
    listener?: Listener<ChannelTypes[C]['data']> | null,
    options?: SubscribeOptions,
  ): Subscription<ChannelTypes[C]['data']>
  /**
   * Ends what is open: requests, waits and connections. What is asked afterwards is refused, with
   * `why` where it is given.
   */
  close(why?: ClientError): void
}

/** Groups of operations by their names: `{ perpdex }`. */
export type Groups = {
  readonly [G in keyof Contract]?: { readonly [N in keyof Contract[G]]: string }
}

/** One function for each operation, `client.perpdex.fillsOfAddress({path, query, body})`. */
export type ClientOf<G extends Groups> = { readonly [N in keyof G]: CallsOf<G[N]> } & StreamCalls

/** A client of one key, with those operations only that it is given: a page bundles no others. */
export function clientOf<G extends Groups>(groups: G, settings: ClientSettings): ClientOf<G> {
  const closing = new AbortController()
  const { caller, pool } = connected(settings, closing.signal)
  const calls = Object.entries(groups).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations as Record<string, string>).map(([name, line]) => {
        const operation = operationCall(`${group}.${name}`, line)
        return [
          name,
          (parameters?: CallParameters, options?: CallOptions) =>
            caller.call(operation, parameters, options),
        ]
      }),
    ),
  ])
  return {
    ...Object.fromEntries(calls),
    subscribe(channel: ChannelName, wanted: object, listener = null, options = {}) {
      const line = CHANNEL_LINES[channel]
      if (line === undefined) throw new ClientError(String(channel), 'there is no such channel')
      return pool.subscribe(channelCall(channel, line), wanted, listener, options)
    },
    close(why = new ConnectionError('client', 'the client is closed')) {
      pool.close()
      closing.abort(why)
    },
  } as ClientOf<G>
}

function connected(settings: ClientSettings, closing: AbortSignal) {
  const { systemClock = hostClock, checker = null, send = fetch, limitsRate = false } = settings
  const base = settings.baseUrl.replace(/\/+$/, '')
  const skew = new ClockSkew(systemClock)
  const { accessKey, secretKey, nonce } = settings
  const sign = signer({ accessKey, secretKey, systemClock, nonce, sign: settings.sign })
  const sender = new RequestSender({ base, secretKey, send, systemClock, closing })
  const random = randomUnits(systemClock.nowMs())
  const caller = new OperationCaller({
    sender,
    sign,
    skew,
    checker,
    systemClock,
    random,
    closing,
    limiter: limitsRate ? new RateLimiter(systemClock) : null,
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    retries: settings.retries ?? 0,
    checksAnswers: settings.checksAnswers ?? false,
  })
  const pool = new ConnectionPool({
    stream: streamSettings(settings, { caller, checker, systemClock, skew }),
    connection: {
      ...socketAddresses(settings, { base, sign, sender, skew }),
      socketClass: () => settings.socketClass ?? webSocketClass(),
      systemClock,
      random,
      connectMs: settings.connectMs ?? TIMEOUT_MS,
      acknowledgeMs: settings.acknowledgeMs ?? TIMEOUT_MS,
      onError: settings.onConnectionError ?? (() => {}),
    },
    socketLimits: settings.socketLimits ?? null,
    onListenerError: settings.onListenerError ?? listenerFailed,
  })
  return { caller, pool }
}

const TIMEOUT_MS = 10_000

/** Whoever throws is told: it is the user's own code, and its error his own. */
const listenerFailed = (error: unknown, channel: string) =>
  console.error(`${channel}: a listener has thrown`, error)
