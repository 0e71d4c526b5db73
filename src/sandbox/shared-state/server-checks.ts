/** Checks a Redis server at the start, before anything is written to it. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import { isOlder } from '../../platform/version-order.ts'
import type { RedisAddress } from './redis-url.ts'

/** A server that cannot be the store; one line says why and what would be right. */
export class StoreRefusedError extends UserError {
  override readonly exitCode = 2
}

/** The marker of a store: a hash of its form. */
export const STORE_FORMAT = 'tapewright-store-1'
export const storeKey = (prefix: string) => `{${prefix}}:store`

/** The first version with everything that is used. */
const VERSION_MIN = '6.2.0'

/** Maximum number of keys that are looked at for the prefix, in calls of a thousand. */
const SCANS_MAX = 200

type SendCommand = (name: string, args: readonly string[]) => Promise<unknown>

/** Throws a StoreRefusedError when the server cannot be the store. */
export async function checkServer(address: RedisAddress, send: SendCommand): Promise<void> {
  const { shown } = address
  const facts = factsOf(String(await send('INFO', [])))
  const version = facts.get('redis_version') ?? ''
  if (!/^\d+\.\d+/.test(version))
    throw new StoreRefusedError(`${shown} does not say its version: use Redis or Valkey`)
  if (isOlder(version, VERSION_MIN))
    throw new StoreRefusedError(`${shown} has version ${version}: use ${VERSION_MIN} or later`)
  const policy = facts.get('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction')
    throw new StoreRefusedError(
      `${shown} may drop keys when it is full (maxmemory-policy ${policy}): set it to noeviction`,
    )
  if (facts.get('role') === 'slave')
    throw new StoreRefusedError(`${shown} is a read-only replica: name the server that it follows`)
  await checkPrefix(address, send)
}

function factsOf(info: string): Map<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => line.includes(':'))
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

async function checkPrefix({ shown, prefix }: RedisAddress, send: SendCommand): Promise<void> {
  const marker = storeKey(prefix)
  const isOurs = async () =>
    (await send('TYPE', [marker])) === 'hash' && (await formatOf()) === STORE_FORMAT
  const formatOf = () => send('HGET', [marker, 'format'])
  const type = await send('TYPE', [marker])
  const format = type === 'hash' ? await formatOf() : null
  if (format === STORE_FORMAT) return
  if (format !== null && String(format).startsWith('tapewright-store-'))
    throw new StoreRefusedError(
      `the prefix ${prefix} of ${shown} was written by another version: ` +
        'use that, or name another prefix',
    )
  const other = type === 'none' ? await someKey(prefix, send) : marker
  // Another replica may have begun the store meanwhile.
  if (other !== null && !(await isOurs()))
    throw new StoreRefusedError(
      `the prefix ${prefix} of ${shown} is used by something else (key ${other.slice(0, 100)}): ` +
        'name another one, such as ?prefix=tapewright-2',
    )
}

/** A key that begins with the prefix; null when there is none. */
async function someKey(prefix: string, send: SendCommand): Promise<string | null> {
  for (const pattern of [`${prefix}:*`, `{${prefix}[:}]*`]) {
    let cursor = '0'
    for (let count = 0; count < SCANS_MAX; count++) {
      const scanned = await send('SCAN', [cursor, 'MATCH', pattern, 'COUNT', '1000'])
      const [next, found] = scanned as [string, string[]]
      if (found[0] !== undefined) return found[0]
      cursor = String(next)
      if (cursor === '0') break
    }
  }
  return null
}

/** How long a server may take for its first words, ms. */
const WORDS_MS = 3_000

/**
 * Why a server could not be connected to: the client says only that the connection was closed, so
 * its first words are read without it.
 */
export async function connectionFlaw(
  address: RedisAddress,
  error: unknown,
  systemClock: SystemClock,
): Promise<string> {
  const { shown, isTls } = address
  const words = await firstWords(address, systemClock)
  if (words === null) return `nothing listens on ${shown}: start a Redis server, or correct --state`
  if (/^-(WRONGPASS|ERR invalid password|ERR AUTH|ERR Client sent AUTH)/.test(words))
    return `${shown} refuses the user and password: correct them in --state or the environment`
  if (/NOAUTH|authentication required/i.test(words))
    return `${shown} needs a password: give one in the address, or in TAPEWRIGHT_REDIS_PASSWORD`
  if (words.startsWith('-DENIED')) return `${shown} takes only local clients (protected mode)`
  if (/^-ERR unknown command/i.test(words))
    return `${shown} has a version before ${VERSION_MIN}: use ${VERSION_MIN} or later`
  if (/^[-+%*$]/.test(words)) {
    const message = error instanceof Error ? error.message : String(error)
    return `${shown} cannot be used: ${message}`
  }
  if (words === '' && !isTls)
    return `${shown} does not answer: it may need TLS (rediss://), or be no Redis server`
  return `${shown} is no Redis server: correct --state, such as redis://127.0.0.1:6379`
}

/** The beginning of a server's answer; empty for none, null when nothing listens. */
async function firstWords(
  { host, port, isTls, username, password }: RedisAddress,
  systemClock: SystemClock,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const cancel = systemClock.startTimer(WORDS_MS, () => resolve(''))
  const auth = username === '' ? ['AUTH', password] : ['AUTH', username, password]
  const sent = [...(password === '' ? [] : [auth]), ['HELLO', '3'], ['PING']].map(commandText)
  try {
    const socket = await Bun.connect({
      hostname: host,
      port,
      ...(isTls ? { tls: true } : {}),
      socket: {
        open: (one) => void one.write(sent.join('')),
        data: (_, bytes) => resolve(bytes.subarray(0, 200).toString()),
        close: () => resolve(''),
        error: () => resolve(''),
        connectError: () => resolve(null),
      },
    })
    const words = await promise
    socket.end()
    return words
  } catch {
    return null
  } finally {
    cancel()
  }
}

const commandText = (words: readonly string[]) =>
  `*${words.length}\r\n${words.map((one) => `$${Buffer.byteLength(one)}\r\n${one}\r\n`).join('')}`
