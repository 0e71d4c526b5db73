/** The connection to the Redis server of all replicas: calls, notices, its time, and its health. */
import { RedisClient } from 'bun'
import { ReferenceClock } from '../../clock/reference-clock.ts'
import { hostClock, type SystemClock } from '../../clock/system-clock.ts'
import {
  type ReplicaFigures,
  type StorageError,
  type StorageObserver,
  type StorageStatus,
  StoreAwayError,
} from '../sandbox-store.ts'
import type { RedisScript } from './redis-scripts.ts'
import type { RedisAddress } from './redis-url.ts'
import { checkServer, connectionFlaw, StoreRefusedError } from './server-checks.ts'

/** How often its time is read, and a lost connection is tried again. */
const BEAT_MS = 200
/** A server that answers nothing for so long is away: every call in flight fails. */
const SILENCE_MS = 2_000

/** Opens a connection; a StoreRefusedError says what is wrong, and then nothing was written. */
export async function connectRedis(
  address: RedisAddress,
  systemClock: SystemClock = hostClock,
): Promise<RedisConnection> {
  const connection = new RedisConnection(address, systemClock)
  try {
    await connection.open()
  } catch (error) {
    connection.close()
    if (error instanceof StoreRefusedError) throw error
    throw new StoreRefusedError(await connectionFlaw(address, error, systemClock))
  }
  try {
    await checkServer(address, (name, args) => connection.command(name, args))
    return connection
  } catch (error) {
    connection.close()
    if (error instanceof StoreRefusedError) throw error
    throw new StoreRefusedError((error as Error).message)
  }
}

export class RedisConnection implements StorageStatus, ReplicaFigures {
  readonly what = 'store'
  readonly file: string
  readonly clock: ReferenceClock
  commits = 0
  failures = 0
  roundTrips = 0
  conflicts = 0
  lagMs = 0
  why: string | null = null
  sinceMs: number | null = null
  private client: RedisClient | null = null
  private listener: RedisClient | null = null
  private observer: StorageObserver = { systemClock: hostClock, log: () => {} }
  private cancelBeat = () => {}
  private isClosed = false
  private readonly digests = new Map<RedisScript, string>()
  private onNotice: (text: string) => void = () => {}
  private onReconnect: () => Promise<void> = async () => {}

  constructor(
    readonly address: RedisAddress,
    private readonly host: SystemClock,
  ) {
    this.file = address.shown
    this.clock = new ReferenceClock(host)
  }

  get clockErrorMs(): number {
    return this.clock.errorMs
  }

  get behind(): boolean {
    return this.why !== null
  }

  /** Time since it went away, ms; 0 while it is there. */
  get awayMs(): number {
    return this.sinceMs === null ? 0 : this.host.monotonicMs() - this.sinceMs
  }

  /** The name of the channel on which changes are announced. */
  get channel(): string {
    return `${this.address.prefix}:changes`
  }

  reportTo(observer: StorageObserver): void {
    this.observer = observer
  }

  /** @param onNotice takes the sandbox of each announced change */
  follow(onNotice: (sandbox: string) => void, onReconnect: () => Promise<void>): void {
    this.onNotice = onNotice
    this.onReconnect = onReconnect
  }

  log(line: string): void {
    this.observer.log(line)
  }

  /** Connects, and keeps the connection from now on. */
  async open(): Promise<void> {
    await this.connect()
    this.beatLater()
  }

  /** Calls a function in the server; a StoreAwayError when it cannot be called. */
  async call(script: RedisScript, keys: readonly string[], args: readonly string[]) {
    const counted = [String(keys.length), ...keys, ...args]
    try {
      return await this.command('EVALSHA', [this.digestOf(script), ...counted])
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('NOSCRIPT')) throw error
      return await this.command('EVAL', [script.text, ...counted])
    }
  }

  /** Sends a command; a StoreAwayError when it fails. */
  async command(name: string, args: readonly string[]): Promise<unknown> {
    const { client } = this
    if (!client) throw this.failure('is away')
    try {
      const answer = await client.send(name, [...args])
      this.roundTrips++
      return answer
    } catch (error) {
      const message = (error as Error).message
      if (message.includes('NOSCRIPT')) throw error
      this.failures++
      throw this.failure(reasonOf(message))
    }
  }

  close(): void {
    this.isClosed = true
    this.cancelBeat()
    this.client?.close()
    this.listener?.close()
    this.client = this.listener = null
  }

  private failure(reason: string): StorageError {
    return new StoreAwayError(`nothing was changed: the store ${this.file} ${reason}`)
  }

  private digestOf(script: RedisScript): string {
    const known = this.digests.get(script)
    if (known) return known
    const digest = new Bun.CryptoHasher('sha1').update(script.text).digest('hex')
    this.digests.set(script, digest)
    return digest
  }

  private async connect(): Promise<void> {
    const client = this.newClient()
    const listener = this.newClient()
    try {
      await Promise.all([client.connect(), listener.connect()])
      await listener.subscribe(this.channel, (text) => this.onNotice(String(text)))
    } catch (error) {
      client.close()
      listener.close()
      throw error
    }
    for (const one of [client, listener])
      one.onclose = () => {
        if (this.client === client) this.lost('the connection was lost')
      }
    this.client = client
    this.listener = listener
    await this.readTime()
  }

  private newClient(): RedisClient {
    return new RedisClient(this.address.url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: SILENCE_MS,
      ...(this.address.isTls ? { tls: true } : {}),
    })
  }

  private beatLater(): void {
    if (this.isClosed) return
    this.cancelBeat = this.host.startTimer(
      BEAT_MS,
      () => void this.beat().then(this.beatLater.bind(this)),
    )
  }

  private async beat(): Promise<void> {
    try {
      if (this.client) return await this.readTime()
      await this.connect()
      if (this.isClosed) return this.close()
      await this.onReconnect()
      this.found()
    } catch (error) {
      this.lost((error as Error).message)
    }
  }

  /** Measures its time; a server that does not answer is away. */
  private async readTime(): Promise<void> {
    const { client } = this
    if (!client) return
    const sentMs = this.host.monotonicMs()
    const silent = () => {
      if (this.client === client) this.lost(`it has not answered for ${SILENCE_MS / 1000} s`)
    }
    // Its answer may be here unread, where this process was busy for so long.
    let cancel = this.host.startTimer(SILENCE_MS, () => {
      cancel = this.host.startTimer(BEAT_MS, silent)
    })
    try {
      const [seconds, micros] = (await client.send('TIME', [])) as [string, string]
      const storeMs = Number(seconds) * 1000 + Number(micros) / 1000
      this.clock.measure(storeMs, sentMs, this.host.monotonicMs())
    } finally {
      cancel()
    }
  }

  private lost(why: string): void {
    const [client, listener] = [this.client, this.listener]
    this.client = this.listener = null
    client?.close()
    listener?.close()
    if (this.isClosed) return
    if (this.why === null)
      this.observer.log(
        `the store ${this.file} is away (${why}): ` +
          'what changes or counts is refused until it is back',
      )
    this.why = `is away: ${why}`
    this.sinceMs ??= this.host.monotonicMs()
  }

  private found(): void {
    if (this.why !== null) this.observer.log(`the store ${this.file} is back`)
    this.why = null
    this.sinceMs = null
  }
}

/** What a server's error means for who called it. */
function reasonOf(message: string): string {
  const known = REASONS.find(([sign]) => message.includes(sign))
  return known ? known[1] : `is away: ${message}`
}

const REASONS: readonly (readonly [sign: string, reason: string])[] = [
  ['OOM', 'is full: give it memory (maxmemory), and it recovers by itself'],
  ['READONLY', 'is a read-only replica of another server: name that one'],
  ['MISCONF', 'cannot write its own files, and takes no changes: see to its disk'],
  ['LOADING', 'is loading its data: it recovers by itself'],
  ['NOPERM', 'does not let this user do that: give it the commands and keys'],
  ['NOAUTH', 'needs a password: give one in the address, or in TAPEWRIGHT_REDIS_PASSWORD'],
]
