/** A client that changes a server's contents, and records its responses. */
import type { RandomSource } from '../../src/random/random-source.ts'
import { CONTROL, type Json, PREFIX, ServerRequests } from './server-requests.ts'
import type { ExpectedState, StoredThings, Things } from './stored-things.ts'

/** The sandbox with the moved clock. */
export const CLOCK = `${CONTROL}/timekeeper`

/** Statuses of changes refused because they cannot be stored. */
const NOT_STORED: readonly number[] = [503, 507]

export class StoringClient {
  private readonly server: ServerRequests

  /**
   * @param whenAnswered called with each response
   * @param mayRefuse whether storage trouble excuses a refusal
   */
  constructor(
    origin: string,
    private readonly things: StoredThings,
    whenAnswered: () => void = () => {},
    private readonly mayRefuse: () => boolean = () => false,
  ) {
    this.server = new ServerRequests(origin, whenAnswered)
  }

  /** Creates the sandbox with the moved clock. */
  async begin(): Promise<void> {
    const nowMs = 1_700_000_000_000
    await this.server.fetch('POST', CONTROL, { name: 'timekeeper', clock: 'held', now: nowMs })
    this.things.nowMs = [nowMs]
  }

  /** Makes a change or a read. Only one client moves the clock. */
  async step(random: RandomSource, name: string, movesClock: boolean): Promise<void> {
    const { things } = this
    if (movesClock && random.between(0, 3) === 0) return this.moveClock(random.between(1, 400))
    switch (random.between(0, 9)) {
      case 0:
        return this.change(things.levels, name, 'there', 'PUT', this.level(name), LEVEL)
      case 1:
        return this.removeSome(things.levels, (level) => this.level(level))
      case 2:
        return this.setAlert()
      case 3:
        return this.makeKey()
      case 4:
        return this.register(name)
      case 5:
        return this.change(things.sandboxes, name, 'there', 'POST', CONTROL, {
          name,
          clock: 'held',
        })
      case 6:
        return this.removeSome(things.sandboxes, (id) => `${CONTROL}/${id}`)
      case 7:
        return this.change(things.bookmarks, name, 'there', 'PUT', bookmarkAt(name), {})
      default:
        return this.read()
    }
  }

  private async read(): Promise<void> {
    this.things.sent++
    await this.server.call('GET', '/hl/tickers', 'demo-sub')
    this.things.answered++
    this.things.reads++
    if (this.things.isStoring) this.things.stored++
  }

  private async moveClock(ms: number): Promise<void> {
    const { things } = this
    const from = things.nowMs
    things.nowMs = from.flatMap((nowMs) => [nowMs, nowMs + ms])
    const made = await this.request('POST', `${CLOCK}/clock/advance`, { ms })
    const { now } = made ? ((made.clock ?? {}) as { now: number }) : { now: Number.NaN }
    things.nowMs = made ? [now] : from
  }

  private async setAlert(): Promise<void> {
    const { alerts } = this.things
    if (alerts.size >= 90) return
    const alert = `price:1:below:${1_000 + alerts.size}`
    const at = `/signal/addSignalAlert?subType=${alert}&symbol=btcswapusdc:hl`
    return this.change(alerts, alert, 'there', 'GET', this.server.signed(at, 'demo'))
  }

  private async makeKey(): Promise<void> {
    const made = await this.request('POST', `${CONTROL}/default/keys`, { kind: 'direct' })
    if (made) this.things.keys.set(made.accessKey as string, 'there')
  }

  /** A token whose registration was refused is still valid. */
  private async register(name: string): Promise<void> {
    const { invites, usedInvites, keys } = this.things
    const token = unusedOf(invites, usedInvites) ?? `invite-${name}`
    const at = `${CONTROL}/default/invites`
    if (!invites.has(token))
      await this.change(invites, token, 'there', 'POST', at, { inviteToken: token })
    if (invites.get(token) !== 'there') return
    usedInvites.set(token, 'either')
    const body = { invite_token: token }
    const made = await this.request('POST', `${PREFIX}/distributor/register`, body)
    usedInvites.set(token, made ? 'there' : 'gone')
    if (made) keys.set((made.data as { access_key: string }).access_key, 'there')
  }

  private async removeSome(things: Things, at: (name: string) => string): Promise<void> {
    const name = [...things].find(([, state]) => state === 'there')?.[0]
    if (name !== undefined) await this.change(things, name, 'gone', 'DELETE', at(name))
  }

  /** Changes a thing, and records its expected state. */
  private async change(
    things: Things,
    name: string,
    to: ExpectedState,
    method: string,
    at: string,
    body?: object,
  ): Promise<void> {
    const before = things.get(name) ?? 'gone'
    things.set(name, 'either')
    const made = await this.request(method, at, body)
    things.set(name, made ? to : before)
  }

  /** Requests a change; returns the response, or null when it could not be stored. */
  private async request(method: string, at: string, body?: object): Promise<Json | null> {
    const { things } = this
    const [answered, mayRefuse] = [things.answered, this.mayRefuse()]
    const { status, json } = await this.server.send(method, at, body)
    if (NOT_STORED.includes(status) && (mayRefuse || this.mayRefuse())) {
      things.refused++
      return null
    }
    if (status !== 200) throw new Error(`${method} ${at}: ${status} ${JSON.stringify(json)}`)
    things.made++
    if (!mayRefuse && !this.mayRefuse() && isOfDefault(at)) things.storedAsOf(answered)
    return json
  }

  private level(name: string): string {
    return this.server.signed(`/distributor/levels/${name}`, 'demo-partner')
  }
}

/** A token without a registration so far. */
const unusedOf = (invites: Things, usedInvites: Things): string | undefined =>
  [...invites].find(
    ([token, state]) => state === 'there' && (usedInvites.get(token) ?? 'gone') === 'gone',
  )?.[0]

/** Whether the default sandbox's counts are stored before such a change. */
const isOfDefault = (at: string) => at.startsWith(PREFIX) || at.startsWith(`${CONTROL}/default/`)

const bookmarkAt = (name: string) => `${CONTROL}/default/playhead/bookmarks/${name}`

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}
