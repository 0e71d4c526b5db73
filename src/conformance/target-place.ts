/** Place of a target: an address with keys, or a sandbox created for the run. */

import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import type { Method } from '../contract/operation.ts'
import { UserError } from '../platform/user-error.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import type { ConformSettings } from './conform-settings.ts'
import { httpTransport } from './http-transport.ts'
import type { Ledger } from './ledger/ledger.ts'
import { Probe } from './probe.ts'
import type { ProbeExchange } from './probe-request.ts'
import { isJsonObject } from './responses.ts'
import type { JournalLine, KeyRole, Target, TargetControl, TargetKey } from './target.ts'
import { deniedPermission, type TargetTransport } from './target-transport.ts'
import { Traffic } from './traffic.ts'

// A checked target of a run and its transport.

/** A target that answers, and its transport. */
export interface TargetPlace {
  base: string
  target: Target
  transport: TargetTransport
  traffic: Traffic
  /** A probe for checks before all cases; its name begins the nonces. */
  probe(what: string): Probe
}

/** Settings of a run, and what a program keeps of it besides. */
interface PlaceSettings extends ConformSettings {
  /** Keeps what is received outside of cases. */
  ledger?: Ledger
}

/** Uses the target once it answers, and drops what was created for it afterwards. */
export async function withTarget<T>(
  settings: PlaceSettings,
  work: (place: TargetPlace) => Promise<T>,
): Promise<T> {
  const { controlUrl, controlToken: token, patienceMs = 5000, timeoutMs } = settings
  const own =
    controlUrl === undefined ? null : await temporarySandbox(controlUrl, patienceMs, token)
  try {
    const { base, target } = own ?? given(settings, patienceMs)
    const bounds = timeoutMs === undefined ? {} : { answerMs: timeoutMs }
    const transport = settings.transport ?? httpTransport(base, bounds)
    const replying = { ...target, ...(timeoutMs === undefined ? {} : { replyMs: timeoutMs }) }
    const traffic = trafficTo(replying, transport, settings)
    const place = placeOf(base, replying, transport, traffic, settings)
    await checkTarget(place.probe('first'), base)
    const tried = await withTriedKeys(place.probe('keys'))
    for (const reason of Object.values(tried.refusedKeys ?? {}))
      settings.onNote?.(`${reason}: cases that need it are skipped`)
    return await work(placeOf(base, tried, transport, traffic, settings))
  } finally {
    await own
      ?.drop()
      .catch((error: Error) => settings.onNote?.(`${error.message}: it is left there`))
  }
}

/** Another target with the same keys. */
export function placeBeside({ target }: TargetPlace, base: string): TargetPlace {
  const transport = httpTransport(base)
  const there = { ...target }
  return placeOf(base, there, transport, trafficTo(there, transport, {}), {})
}

/** Prefix of a run's nonces. */
export const nonceStart = (what: string, systemClock: SystemClock): string =>
  `conform-${what}-${systemClock.nowMs().toString(36)}`

function placeOf(
  base: string,
  target: Target,
  transport: TargetTransport,
  traffic: Traffic,
  { systemClock = hostClock, ledger }: PlaceSettings,
): TargetPlace {
  const kept = ledger === undefined ? {} : { ledger }
  const probe = (what: string) =>
    new Probe(target, transport, signing(what, systemClock), {
      gate: traffic.gate(FIRST),
      ...kept,
    })
  return { base, target, transport, traffic, probe }
}

/** Before all cases. */
const FIRST = -1

/** Traffic to a target: at the requested rate, while it answers. */
function trafficTo(target: Target, transport: TargetTransport, settings: ConformSettings): Traffic {
  const { systemClock = hostClock, ratePerMinute, signal, onNote } = settings
  const patient: TargetTransport = {
    ...transport,
    request: (sent) => transport.request({ ...sent, isAgain: true }),
  }
  const [alone, inPatience] = [transport, patient].map(
    (by) => new Probe(target, by, signing('alive', systemClock)),
  ) as [Probe, Probe]
  const traffic = new Traffic({
    systemClock,
    ...(ratePerMinute === undefined ? {} : { perMinute: ratePerMinute }),
    isAlive: async (isPatient) => {
      const by = isPatient ? inPatience : alone
      const answer = await by.request({ ...FIRST_REQUEST, allowRateLimit: true }).catch(unanswered)
      return answer !== null && answer.status < 500
    },
    onSlower: onlyOnce(() => onNote?.('the target refuses requests as too many: they wait')),
  })
  const interrupt = () => traffic.end('it was interrupted', GRACE_MS)
  if (signal?.aborted) interrupt()
  else signal?.addEventListener('abort', interrupt, { once: true })
  return traffic
}

const FIRST_REQUEST = { path: '/hl/tickers' }

/** Time in which interrupted cases may restore their changes. */
const GRACE_MS = 5_000

function unanswered(error: unknown): null {
  if (error instanceof UserError) return null
  throw error
}

function onlyOnce(task: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) task()
    isDone = true
  }
}

let count = 0

const signing = (what: string, systemClock: SystemClock) => {
  const start = nonceStart(what, systemClock)
  return {
    nowS: () => Math.floor(systemClock.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
}

function given(settings: ConformSettings, patienceMs: number) {
  const { baseUrl, keys, inviteToken, inventory } = settings
  if (baseUrl === undefined || keys === undefined)
    throw new UserError('conform needs baseUrl and keys, or controlUrl')
  const target: Target = {
    keys,
    patienceMs,
    ...(inviteToken === undefined ? {} : { inviteToken }),
    ...(inventory === undefined ? {} : { inventory }),
  }
  return { base: baseUrl, target }
}

// Each given key is tested before it is used.

/** Requests to test each: if one is refused, others may succeed. */
const TRIALS: Record<Exclude<KeyRole, 'full'>, readonly string[]> = {
  partner: ['/distributor/info', '/distributor/quota', '/distributor/levels'],
  sub: ['/hl/tickers', '/hl/whales/directions', '/coin'],
  bare: ['/hl/tickers', '/hl/whales/directions', '/coin'],
}

const NAMES = { partner: 'the key of the distributor', sub: 'the sub key', bare: 'the bare key' }

/** The target with the accepted keys, and reasons for the others. */
async function withTriedKeys(probe: Probe): Promise<Target> {
  const { target } = probe
  const [keys, refusedKeys] = [{ ...target.keys }, { ...target.refusedKeys }]
  for (const role of ['partner', 'sub', 'bare'] as const) {
    if (keys[role] === undefined) continue
    const reason = await refusalOf(probe, role)
    if (reason === null) continue
    delete keys[role]
    refusedKeys[role] = `${NAMES[role]} ${reason}`
  }
  return { ...target, keys, refusedKeys }
}

/** Why a key is unusable; null when it is usable. */
async function refusalOf(probe: Probe, role: keyof typeof TRIALS): Promise<string | null> {
  const answers: ProbeExchange[] = []
  for (const path of TRIALS[role]) {
    const answer = await probe.request({ path, signedBy: role })
    const isRefused = isUnknown(answer) || (role === 'partner' && answer.status === 403)
    if (!isRefused) return null
    answers.push(answer)
  }
  return answers.every(isUnknown)
    ? 'is not accepted (401 Invalid signature)'
    : 'is not that of a distributor (403)'
}

const isUnknown = ({ status, json }: ProbeExchange): boolean =>
  status === 401 || (isJsonObject(json) && String(json.code) === '401')

// A sandbox created for a run by a stand-in's control plane, and dropped after it.

/** Position of a market, and its tape's ends, tape time, ms. */
interface SandboxRecord {
  playhead: { start: number; stop: number }
}

interface CreatedSandbox {
  id: string
  baseUrl: string
  inviteToken: string
  keys: Record<KeyRole, { accessKey: string; secretKey: string }>
}

/** Ten minutes before a month ends, on a Tuesday in spring: the run crosses each end of time. */
const FIRST_MS = Date.UTC(2026, 2, 31, 23, 50)

/**
 * Its clock is held, and determines signatures: nothing in it depends on real time.
 *
 * @param control `http://127.0.0.1:4010/_control`; a UserError when it cannot create a sandbox
 * @param token of the control plane, where it requires one
 */
export async function temporarySandbox(control: string, patienceMs: number, token?: string) {
  const call = callsOf(control, token)
  let nowMs = FIRST_MS
  const others = new Map<string, Promise<CreatedSandbox>>()
  const made = (await call('POST', '/sandboxes', HELD)) as CreatedSandbox
  const at = await late(made, call)
  const target: Target = {
    ...(await targetOf(made, call)),
    inviteToken: made.inviteToken,
    nowMs: () => nowMs,
    control: {
      isHeld: true,
      ...targetControlOf(`/sandboxes/${made.id}`, call, (ms) => {
        nowMs += ms
      }),
      async answering(questions) {
        const name = JSON.stringify(questions)
        const other = others.get(name) ?? call('POST', '/sandboxes', { ...HELD, at, questions })
        others.set(name, other as Promise<CreatedSandbox>)
        const sandbox = (await other) as CreatedSandbox
        const transport = httpTransport(sandbox.baseUrl)
        const there = { ...(await targetOf(sandbox, call)), nowMs: () => FIRST_MS, patienceMs }
        return { target: there, transport }
      },
      async journal() {
        const used = await Promise.all([made, ...others.values()])
        return (await Promise.all(used.map(({ id }) => journalOf(id, call)))).flat()
      },
    },
    patienceMs,
  }
  const drop = async () => {
    for (const { id } of [made, ...(await Promise.all(others.values()))])
      await call('DELETE', `/sandboxes/${id}`)
  }
  return { base: made.baseUrl, target, drop }
}

/** Number of entries read: a case keeps fewer requests. */
const ENTRIES_READ = 200

async function journalOf(id: string, call: ControlCall): Promise<JournalLine[]> {
  const newest = async (kind: string) => {
    const path = `/sandboxes/${id}/journal?kind=${kind}&limit=${ENTRIES_READ}`
    return ((await call('GET', path)) as { entries: JournalLine[] }).entries
  }
  return [...(await newest('request')), ...(await newest('socket'))]
}

/**
 * Timeout of a call of the control plane: beyond what a slow target needs to play an hour. A call
 * given up earlier would have effects later, and make the target look guilty.
 */
const CONTROL_MS = 600_000

function callsOf(url: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async (method: Method, path: string, body?: object) => {
    const transport = httpTransport(url, { answerMs: CONTROL_MS }, headers)
    const sent = body ? { body: JSON.stringify(body) } : {}
    const response = await transport.request({ method, path, ...sent }).catch((error) => {
      throw error instanceof UserError ? new UserError(`${url}: ${error.message}`) : error
    })
    if (response.status === 200) return JSON.parse(response.text)
    const answer = `${url}${path} answers ${response.status} ${response.text.slice(0, 200)}`
    const isElsewhere = response.status === 404 && path === '/sandboxes'
    throw new UserError(isElsewhere ? `${answer}${ELSEWHERE}` : answer)
  }
}

const ELSEWHERE = ': --control is the control plane, such as http://127.0.0.1:4010/_control'

/** Without the scenario that a server begins its sandboxes with. */
const HELD = {
  clock: 'held',
  now: FIRST_MS,
  signatureTime: 'session',
  scenario: { title: 'Everything as the contract says', rules: [] },
}

/** Moves its market near the end of its tape, so that accounts have a history. */
async function late({ id }: CreatedSandbox, call: ControlCall): Promise<number> {
  const { playhead } = (await call('GET', `/sandboxes/${id}`)) as SandboxRecord
  const at = Math.floor(playhead.start + 0.8 * (playhead.stop - playhead.start))
  await call('PUT', `/sandboxes/${id}/playhead`, { at })
  return at
}

async function targetOf({ id, keys }: CreatedSandbox, call: ControlCall) {
  const key = (who: KeyRole): TargetKey => ({
    accessKey: keys[who].accessKey,
    secretKey: keys[who].secretKey,
  })
  const inventory = (await call('GET', `/sandboxes/${id}/cast`)) as NonNullable<Target['inventory']>
  return {
    keys: { full: key('full'), partner: key('partner'), sub: key('sub'), bare: key('bare') },
    inventory,
  }
}

type ControlCall = (method: Method, path: string, body?: object) => Promise<unknown>

/** Time, market and keys of the sandbox, through its control plane. */
const targetControlOf = (
  at: string,
  call: ControlCall,
  onMove: (ms: number) => void,
): TargetControl => ({
  async advance(ms) {
    await call('POST', `${at}/clock/advance`, { ms })
    onMove(ms)
  },
  async freeze() {
    await call('PUT', `${at}/playhead`, { speed: 0 })
    return async () => void (await call('PUT', `${at}/playhead`, { speed: 1 }))
  },
  async subKey(level) {
    const made = await call('POST', `${at}/keys`, { kind: 'sub', level })
    const { accessKey, secretKey } = made as Record<string, string>
    const remove = async () => void (await call('DELETE', `${at}/keys/${accessKey}`))
    return { key: { accessKey: accessKey ?? '', secretKey: secretKey ?? '' }, remove }
  },
})

// First check of a target: whether anything can be judged.

/** A UserError explains why nothing can be judged. */
export async function checkTarget(probe: Probe, target: string): Promise<void> {
  const exchange = await probe.request({ path: '/hl/tickers' }).catch((error) => {
    if (isVerdict(error)) throw new UserError(`${target}: ${error.message}`)
    throw error
  })
  const { status, contentType, json } = exchange
  if (!isJsonObject(json))
    throw new UserError(
      `${target} answers ${contentType || 'something'} (${status}), not JSON: is it the service?`,
    )
  const words = String(json.msg ?? json.error ?? json.message ?? '')
  if (status === 401 || /signature/i.test(words))
    throw new UserError(
      `${target} does not accept the key (${status} ${words}): check --key and --secret`,
    )
  if (status === 403) return checkGrants(probe, words)
  if (status !== 200) throw new UserError(`${target} answers ${status} ${words}`)
  const other = await probe.request({ path: '/no/such/path', signedIn: 'nowhere' })
  if (other.status === status && other.text === exchange.text)
    throw new UserError(`${target} answers every request alike: is it the service?`)
}

/** Errors without a response, including a lasting rate limit. */
const isVerdict = (error: unknown): error is Error =>
  error instanceof CheckFailure || error instanceof UserError || error instanceof SkipCase

/** A key without permission for tickers may have others, or none. */
async function checkGrants(probe: Probe, words: string): Promise<void> {
  for (const path of OTHERS) if (deniedPermission(await probe.request({ path })) === null) return
  throw new UserError(`the key has no permissions (${words}): use one with all`)
}

const OTHERS = ['/hl/whales/directions', '/hl/orders/active-stats', '/coin', '/crypto_stock/quotes']
