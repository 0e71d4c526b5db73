/**
 * The way of a socket upgrade: find the sandbox, authenticate, authorize. A refusal gets no socket.
 */
import type { Channel } from '../contract/channel.ts'
import { dexFlaw } from '../contract/dex.ts'
import { ACCOUNT_STATES, type Dialect, VENUE } from '../contract/dialect.ts'
import { CHANNELS } from '../contract/index.ts'
import { socketPlacesOf, splitBase } from '../contract/paths.ts'
import { isRefusal, type Refusal } from '../contract/refusal.ts'
import { VENUE_CHANNELS } from '../contract/venue.ts'
import { admit as enter } from '../sandbox/admission.ts'
import { credentialsIn } from '../sandbox/authenticate.ts'
import { tellWhy } from '../sandbox/diagnosis.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import type { Plain } from '../scenario/deed.ts'
import { refusedEntry } from './diary.ts'
import { gateOf } from './gate.ts'
import { hubOf } from './hub.ts'
import { Session } from './session.ts'
import type { Wire } from './wire.ts'

/** A socket path, how it is spoken, and the channels on it. */
export interface Socket {
  dialect: Dialect
  channels: readonly Channel[]
}

/** The socket paths, in the order of the contract. */
const SOCKETS: readonly Socket[] = [
  ...Map.groupBy([...CHANNELS, ...VENUE_CHANNELS], (channel) => channel.dialect).entries(),
].map(([dialect, channels]) => ({ dialect, channels }))

/** The socket of a path, under every prefix and every sandbox's base; null for another path. */
export function socketOf(
  fullPath: string,
): { socket: Socket; sandbox?: string | undefined } | null {
  const { path, sandbox } = splitBase(fullPath)
  const socket = BY_PATH.get(path)
  return socket ? { socket, sandbox } : null
}

const BY_PATH = new Map(
  SOCKETS.flatMap((socket) =>
    socketPlacesOf(socket.dialect).map((path) => [path, socket] as const),
  ),
)

/** An answer that a scenario gives in the place of a socket. */
export interface TurnedAway {
  instead: Plain
}

/** May this connection be made? The answer opens it, or says no. */
export function admit(
  registry: Registry,
  socket: Socket,
  query: Readonly<Record<string, string>>,
  sandboxId?: string,
): Refusal | TurnedAway | ((wire: Wire) => Session) {
  const signed = credentialsIn(query)
  const sandbox = registry.find(sandboxId, signed.AccessKeyId)
  const isRaw = sandbox?.terms.profile === 'raw'
  if (!sandbox || (socket.dialect === VENUE && !isRaw)) return { refused: 'path' }
  const channels = socket.channels.map(({ id }) => id)
  const gate = gateOf(sandbox, channels, signed.AccessKeyId)
  if (gate.answer) return { instead: gate.answer }
  sandbox.trouble.skewMs = gate.skewMs
  const caller = gate.refusal ?? enter(sandbox, socket.channels[0] as Channel, signed)
  sandbox.trouble.skewMs = 0
  sandbox.keeper?.commit()
  const dex = query.dex ?? ''
  const refusal = isRefusal(caller)
    ? caller
    : (elsewhere(sandbox, socket, dex) ?? (caller && crowd(sandbox, caller)))
  if (refusal?.refused === 'signature' && !gate.refusal) tellWhy(registry, sandbox, signed, query)
  if (refusal) refusedEntry(sandbox, socket.dialect.path, refusal, gate.acted)
  if (refusal || isRefusal(caller)) return refusal as Refusal
  return (wire) => new Session(sandbox, socket, { key: caller, dex }, wire)
}

/** A dex that is not there, of a connection that is for one. */
const elsewhere = (sandbox: Sandbox, { dialect }: Socket, dex: string): Refusal | null =>
  dialect === ACCOUNT_STATES ? dexFlaw(dex, sandbox.facts()) : null

/** One connection more than the key may hold. */
function crowd(sandbox: Sandbox, key: Key): Refusal | null {
  const most = sandbox.limitsOf(key).maxConnections
  if (most === null || sandbox.terms.metering === 'off') return null
  const { connections } = hubOf(sandbox).heldBy(key.accessKey)
  return connections >= most ? { refused: 'connections', most } : null
}
