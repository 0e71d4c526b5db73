/** The pipeline of a socket upgrade: find the sandbox, authenticate, authorize. */

import { runToEnd } from '../../clock/turns.ts'
import { CHANNELS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import { dexFlaw } from '../../contract/dex.ts'
import { ACCOUNT_STATES_DIALECT, type Dialect, VENUE_DIALECT } from '../../contract/dialect.ts'
import { socketPath, viaOf } from '../../contract/paths.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import { routedPath } from '../../contract/served-operations.ts'
import type { Credentials } from '../../contract/signature.ts'
import { VENUE_CHANNELS, venueRefusal } from '../../contract/venue.ts'
import type { RecordedRoutes } from '../../tape/replay/upstream.ts'
import { authorize, credentialsIn, refusalByRule } from '../authorization.ts'
import { coverRefusedUpgrade } from '../coverage/socket-coverage.ts'
import type { HttpResponse, Outcome } from '../pipeline/http-message.ts'
import { refusalResponse } from '../pipeline/http-message.ts'
import { routeOf } from '../pipeline/operation-call.ts'
import { KEY_LENGTH_MAX, reasonOf } from '../pipeline/reason.ts'
import type { Registry } from '../registry.ts'
import type { Sandbox } from '../sandbox.ts'
import type { PlainResponse, RequestEffect } from '../scenario/fault.ts'
import type { FaultSubject } from '../scenario/scenario-run.ts'
import { waitSessionTime } from '../session-wait.ts'
import { diagnoseSignature, KEYS_PER_SLICE, logSignatureRefusal } from '../signature-diagnosis.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { SocketConnection } from './send-queue.ts'
import { Session } from './session.ts'
import { journalRefusedSocket } from './socket-journal.ts'
import { hubOf } from './subscription-hub.ts'

/** Routes recorded paths as requests and upgrades are routed. */
export const RECORDED_ROUTES: RecordedRoutes = {
  operationAt(method, path) {
    const route = routeOf(method, path)
    return isRefusal(route) ? null : { operation: route.operation, params: route.params }
  },
  socketAt: (path) => socketOf(path)?.socket ?? null,
}

/** The effects of scenarios on an arriving upgrade. */
interface UpgradeFaults {
  /** Refuses every connection; null for none. */
  refusal: Refusal | null
  answer: PlainResponse | null
  /** How far the service's clock seems ahead, ms. */
  skewMs: number
  /** Delay, ms of the session clock. */
  delayMs: number
  /** Rules that acted. */
  ruleNames: string
}

const NO_FAULTS: UpgradeFaults = {
  refusal: null,
  answer: null,
  skewMs: 0,
  delayMs: 0,
  ruleNames: '',
}

/** The effects of active rules on a connection to these channels. */
function upgradeFaultsOf(
  sandbox: Sandbox,
  channels: readonly Channel[],
  key: string | undefined,
): UpgradeFaults {
  const { faultInjection } = sandbox
  if (!faultInjection.isActive) return NO_FAULTS
  const subject: FaultSubject = {
    operations: [],
    channels: channels.map(({ id }) => id),
    key: key ?? null,
    coins: [],
    addresses: [],
  }
  const acting = faultInjection.activeRules(({ onRequest }) => onRequest !== undefined, subject)
  const effects = acting.map(
    ({ fault, settings, randomSource }): RequestEffect =>
      fault.onRequest?.(settings, randomSource) ?? {},
  )
  const first = effects.find(({ refusal, answer }) => refusal ?? answer)
  const refusal = first?.refusal
  return {
    refusal: refusal ? refusalByRule(sandbox, refusal, channels[0] as Channel, key) : null,
    answer: refusal ? null : (first?.answer ?? null),
    skewMs: sumOf(effects, 'skewMs'),
    delayMs: sumOf(effects, 'delayMs'),
    ruleNames: acting.map(({ rule }) => rule.name).join(', '),
  }
}

const sumOf = (effects: readonly RequestEffect[], what: 'skewMs' | 'delayMs') =>
  effects.reduce((sum, effect) => sum + (effect[what] ?? 0), 0)

/** A socket path with its dialect and channels. */
export interface SocketEndpoint {
  dialect: Dialect
  channels: readonly Channel[]
}

/** The socket paths, in the order of the contract. */
export const SOCKET_ENDPOINTS: readonly SocketEndpoint[] = [
  ...Map.groupBy([...CHANNELS, ...VENUE_CHANNELS], (channel) => channel.dialect).entries(),
].map(([dialect, channels]) => ({ dialect, channels }))

/** The socket of a path, under every prefix and every sandbox's base; null for another path. */
export function socketOf(
  fullPath: string,
): { socket: SocketEndpoint; sandbox?: string | undefined } | null {
  const { path, sandbox } = routedPath(fullPath)
  const socket = BY_PATH.get(path)
  return socket ? { socket, sandbox } : null
}

/** The refusal of a request that is no operation's, where the path may be a socket's. */
export function callRefusal(method: string, path: string): Refusal {
  if (method !== 'GET' && socketOf(path)) return { refused: 'method', allowed: ['GET'] }
  const route = routeOf(method, path)
  return isRefusal(route) ? route : { refused: 'path' }
}

const BY_PATH = new Map(SOCKET_ENDPOINTS.map((socket) => [socketPath(socket.dialect), socket]))

/** The outcome of an upgrade: a session, or a response in its place. */
export type UpgradeOutcome = OpenedUpgrade | RefusedUpgrade

/** The session is opened by the connection that is made. */
interface OpenedUpgrade {
  /** The earliest time to open it. */
  ready?: Promise<void>
  open(connection: SocketConnection): Session
}

export interface RefusedUpgrade {
  response: HttpResponse
}

/**
 * Authenticates and authorizes an upgrade.
 *
 * @param address the sandbox that its path names, and the whole path
 */
export function openSession(
  registry: Registry,
  socket: SocketEndpoint,
  query: Readonly<Record<string, string>>,
  { sandbox: id, path }: { sandbox?: string | undefined; path: string },
): UpgradeOutcome {
  const signed = credentialsIn(query)
  const via = viaOf(path)
  const sandbox = registry.find(id, signed.AccessKeyId)
  if (!sandbox) return { response: refusalResponse({ refused: 'path' }) }
  const decided = decideUpgrade(sandbox, socket, query, via)
  if ('response' in decided) {
    if (decided.isUnsigned) logSignatureRefusal(registry, sandbox, signed, query)
    return { response: decided.response }
  }
  const { caller, dex, faults, ...ready } = decided
  const { frames } = registry.metrics
  const open = (connection: SocketConnection) => {
    const session = new Session(sandbox, socket, { key: caller, dex, via }, connection, frames)
    if (faults.ruleNames) session.journalFault(faults.ruleNames, 'the upgrade')
    return session
  }
  return { ...ready, open }
}

const NOT_SERVED: Refusal<'path'> = { refused: 'path' }

interface DecidedUpgrade {
  ready?: Promise<void>
  caller: ApiKey | null
  dex: string
  faults: UpgradeFaults
}

/** The decision about an upgrade in a sandbox: the caller, or a response, which is journaled. */
export function decideUpgrade(
  sandbox: Sandbox,
  socket: SocketEndpoint,
  query: Readonly<Record<string, string>>,
  via: 'console' | null,
): DecidedUpgrade | (RefusedUpgrade & { isUnsigned: boolean }) {
  const signed = credentialsIn(query)
  const isServed = socket.dialect !== VENUE_DIALECT || sandbox.config.profile === 'raw'
  const faults = isServed
    ? upgradeFaultsOf(sandbox, socket.channels, signed.AccessKeyId)
    : NO_FAULTS
  const dex = query.dex ?? ''
  const called = () => (isServed ? callerOf(sandbox, socket, { signed, dex, faults }) : NOT_SERVED)
  const caller = faults.answer ? null : called()
  const ready = faults.delayMs > 0 ? { ready: waitSessionTime(sandbox, faults.delayMs) } : {}
  if (!faults.answer && !isRefusal(caller)) return { ...ready, caller, dex, faults }
  const refusal = isRefusal(caller) ? caller : null
  const answer = faults.answer ?? upgradeRefusalResponse(socket, refusal as Refusal)
  const { path } = socket.dialect
  const outcome = refusedOutcome(sandbox, { refusal, answer, faults, query })
  // A secret key that was sent as the access key is in no journal.
  const isSwapped = outcome.diagnosis?.mistake === 'swapped-id-and-secret'
  const key = isSwapped ? null : (signed.AccessKeyId?.slice(0, KEY_LENGTH_MAX) ?? null)
  const reason = reasonOf(sandbox, { path, sentKey: key, call: null }, outcome)
  const rules = faults.ruleNames
  if (via === null && socket.dialect !== VENUE_DIALECT) {
    const { isByRule = false } = outcome
    const refused = refusal?.refused ?? null
    coverRefusedUpgrade(sandbox, { path, key, refused, isByRule, rules })
  }
  journalRefusedSocket(sandbox, { path, key, refusal, reason, answer, rules, via })
  sandbox.outputDigest.addAnswer(path, sandbox.position().atMs, answer)
  const headers = { ...answer.headers, date: sandbox.date(faults.skewMs) }
  const delivery = faults.delayMs > 0 ? { delivery: ready } : {}
  const isUnsigned = refusal?.refused === 'signature' && !faults.refusal
  return { response: { ...answer, headers, ...delivery }, isUnsigned }
}

/** In the venue's form for its own socket, where it has one. */
const upgradeRefusalResponse = ({ dialect }: SocketEndpoint, refusal: Refusal): HttpResponse =>
  (dialect === VENUE_DIALECT ? venueRefusal(refusal) : null) ?? refusalResponse(refusal)

interface RefusedUpgradeFacts {
  refusal: Refusal | null
  answer: HttpResponse
  faults: UpgradeFaults
  query: Readonly<Record<string, string>>
}

/** The outcome of a refused upgrade, with the likely mistake in its signature. */
function refusedOutcome(
  sandbox: Sandbox,
  { refusal, answer, faults, query }: RefusedUpgradeFacts,
): Outcome {
  const { journal, faultInjection } = sandbox
  const isByRule = faults.refusal !== null || faults.answer !== null
  const faultRules = faults.ruleNames ? faults.ruleNames.split(', ') : []
  const outcome: Outcome = { answer, caller: null, refusal, faultRules, isByRule }
  if (!journal.isOn || refusal?.refused !== 'signature' || isByRule) return outcome
  faultInjection.signatureSkewMs = faults.skewMs
  const given = credentialsIn(query)
  const diagnosis = runToEnd(diagnoseSignature(sandbox, given, query, KEYS_PER_SLICE))
  faultInjection.signatureSkewMs = 0
  return { ...outcome, diagnosis }
}

interface Upgrading {
  signed: Partial<Credentials>
  dex: string
  faults: UpgradeFaults
}

/** The caller, or the refusal. */
function callerOf(
  sandbox: Sandbox,
  socket: SocketEndpoint,
  { signed, dex, faults }: Upgrading,
): ApiKey | null | Refusal {
  sandbox.faultInjection.signatureSkewMs = faults.skewMs
  const caller = faults.refusal ?? authorize(sandbox, socket.channels[0] as Channel, signed)
  sandbox.faultInjection.signatureSkewMs = 0
  sandbox.changeLog?.flush()
  if (isRefusal(caller)) return caller
  const refusal =
    socket.dialect === VENUE_DIALECT
      ? hubOf(sandbox).venueLimits.connectionRefusal()
      : (dexRefusal(sandbox, socket, dex) ?? (caller && connectionLimitRefusal(sandbox, caller)))
  return refusal ?? caller
}

/** The refusal of a connection for an unknown dex. */
const dexRefusal = (sandbox: Sandbox, { dialect }: SocketEndpoint, dex: string): Refusal | null =>
  dialect === ACCOUNT_STATES_DIALECT ? dexFlaw(dex, sandbox.facts()) : null

/** The refusal of a connection above the key's limit. */
function connectionLimitRefusal(sandbox: Sandbox, key: ApiKey): Refusal | null {
  const most = sandbox.limitsOf(key).maxConnections
  if (most === null || sandbox.config.metering === 'off') return null
  const { connections } = hubOf(sandbox).countsOfKey(key.accessKey)
  return connections >= most ? { refused: 'connections', most } : null
}
