/** A client of a server that is about to be killed: what it did, and what it was told. */
import { machine } from '../src/clock/machine.ts'
import type { Dice } from '../src/random/dice.ts'
import { signedQuery } from './signing.ts'

const P = '/api/upgrade/v2'

/** What a thing must be: what was asked but not answered may have happened or not. */
export type Fate = 'there' | 'gone' | 'either'

/** What the clients were told, over all rounds. */
export class Told {
  readonly levels = new Map<string, Fate>()
  readonly alerts = new Map<string, Fate>()
  readonly keys = new Map<string, Fate>()
  readonly sandboxes = new Map<string, Fate>()
  readonly distributors: string[] = []
  sent = 0
  answered = 0
}

const signer = (key: string) => signedQuery({ accessKey: key, secretKey: `${key}-secret` }, machine)

export class Client {
  answers = 0

  constructor(
    private readonly origin: string,
    private readonly told: Told,
    private readonly whenAnswered: () => void,
  ) {}

  async call(method: string, at: string, key: string, body?: object): Promise<Json> {
    const sign = `${at.includes('?') ? '&' : '?'}${signer(key)}`
    return this.fetch(method, `${P}${at}${sign}`, body)
  }

  async fetch(method: string, at: string, body?: object): Promise<Json> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${this.origin}${at}`, { method, ...sent })
    const json = (await answer.json()) as Json
    if (answer.status !== 200) throw new Error(`${method} ${at}: ${JSON.stringify(json)}`)
    this.answers++
    this.whenAnswered()
    return json
  }

  /** Does something to a thing, and notes what must be true of it afterwards. */
  async change(things: Map<string, Fate>, name: string, to: Fate, call: Promise<unknown>) {
    things.set(name, 'either')
    await call
    things.set(name, to)
  }

  async step(chance: Dice, name: string): Promise<void> {
    const { told } = this
    const some = (things: Map<string, Fate>) =>
      [...things].find(([, fate]) => fate === 'there')?.[0]
    const control = '/_control/sandboxes'
    const level = some(told.levels)
    switch (chance.between(0, 7)) {
      case 0:
        return this.change(told.levels, name, 'there', this.putLevel(name))
      case 1:
        if (!level) return
        told.levels.set(level, 'either')
        return this.change(told.levels, level, 'gone', this.deleteLevel(level))
      case 2: {
        if (told.alerts.size >= 90) return
        const alert = `price:1:below:${1_000 + told.alerts.size}`
        const add = `/signal/addSignalAlert?subType=${alert}&symbol=btcswapusdc:hl`
        return this.change(told.alerts, alert, 'there', this.call('GET', add, 'demo'))
      }
      case 3: {
        const made = await this.fetch('POST', `${control}/default/keys`, { kind: 'direct' })
        told.keys.set(made.accessKey as string, 'there')
        return
      }
      case 4: {
        const invite = await this.fetch('POST', `${control}/default/invites`, {})
        const { inviteToken } = invite as { inviteToken: string }
        const made = await this.fetch('POST', `${P}/distributor/register`, {
          invite_token: inviteToken,
        })
        told.distributors.push((made.data as { access_key: string }).access_key)
        return
      }
      case 5:
        return this.change(
          told.sandboxes,
          name,
          'there',
          this.fetch('POST', control, { name, clock: 'held' }),
        )
      default:
        told.sent++
        await this.call('GET', '/hl/tickers', 'demo-sub')
        told.answered++
    }
  }

  private putLevel = (name: string) =>
    this.call('PUT', `/distributor/levels/${name}`, 'demo-partner', LEVEL)

  private deleteLevel = (name: string) =>
    this.call('DELETE', `/distributor/levels/${name}`, 'demo-partner')
}

type Json = Record<string, unknown>

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}
