/** The target of a run, tried, and how it is reached. */
import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'
import type { ConformSettings } from './conform-settings.ts'
import { httpTransport } from './http-transport.ts'
import { isJsonObject } from './parsed-json.ts'
import { Probe } from './probe.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { KeyRole, Target } from './target.ts'
import { checkTarget } from './target-check.ts'
import type { TargetTransport } from './target-transport.ts'
import { temporarySandbox } from './temporary-sandbox.ts'
import { Traffic } from './traffic.ts'

/** A target that answers, and how it is reached. */
export interface TargetPlace {
  base: string
  target: Target
  transport: TargetTransport
  traffic: Traffic
  /** Looks at it besides the cases, before them all; its nonces begin so. */
  probe(what: string): Probe
}

/** Does something with the target once it answers, and drops what was made for it afterwards. */
export async function withTarget<T>(
  settings: ConformSettings,
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
      settings.onNote?.(`${reason}: what needs it is skipped`)
    return await work(placeOf(base, tried, transport, traffic, settings))
  } finally {
    await own?.drop().catch((error: Error) => settings.onNote?.(`${error.message}: it is left`))
  }
}

/** Another target that the same keys open. */
export function placeBeside({ target }: TargetPlace, base: string): TargetPlace {
  const transport = httpTransport(base)
  const there = { ...target }
  return placeOf(base, there, transport, trafficTo(there, transport, {}), {})
}

/** What the nonces of a run begin with. */
export const nonceStart = (what: string, systemClock: SystemClock): string =>
  `conform-${what}-${systemClock.nowMs().toString(36)}`

function placeOf(
  base: string,
  target: Target,
  transport: TargetTransport,
  traffic: Traffic,
  { systemClock = hostClock }: ConformSettings,
): TargetPlace {
  const probe = (what: string) =>
    new Probe(target, transport, signing(what, systemClock), { gate: traffic.gate(FIRST) })
  return { base, target, transport, traffic, probe }
}

/** Before all cases. */
const FIRST = -1

/** How requests reach a target: as often as is asked for, and for as long as it answers. */
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
      const answer = await by.request({ ...FIRST_LOOK, allowRateLimit: true }).catch(unanswered)
      return answer !== null && answer.status < 500
    },
    onSlower: onlyOnce(() => onNote?.('the target refuses requests as too many: they wait')),
  })
  const interrupt = () => traffic.end('it was interrupted', GRACE_MS)
  if (signal?.aborted) interrupt()
  else signal?.addEventListener('abort', interrupt, { once: true })
  return traffic
}

const FIRST_LOOK = { path: '/hl/tickers' }

/** For so long cases that were interrupted may put back what they changed. */
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

// Each key that was given is tried before anything is judged with it.

/** What each is tried with: a target that refuses one of these has the others to be known by. */
const TRIALS: Record<Exclude<KeyRole, 'full'>, readonly string[]> = {
  partner: ['/distributor/info', '/distributor/quota', '/distributor/levels'],
  sub: ['/hl/tickers', '/hl/whales/directions', '/coin'],
  bare: ['/hl/tickers', '/hl/whales/directions', '/coin'],
}

const NAMES = { partner: 'the key of the distributor', sub: 'the sub key', bare: 'the bare key' }

/** The target with those keys that it accepts, and why it does not have the others. */
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

/** Why a key is of no use; null when it is of some. */
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
