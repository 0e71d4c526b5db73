/** Requests to a server, signed by the machine's clock, and JSON responses. */
import { hostClock } from '../../src/clock/system-clock.ts'
import { signedQuery } from '../../test/fixtures/signed-query.ts'

export const PREFIX = '/api/upgrade/v2'
export const CONTROL = '/_control/sandboxes'

export type Json = Record<string, unknown>

export class ServerRequests {
  /** @param whenAnswered called with each response */
  constructor(
    private readonly origin: string,
    private readonly whenAnswered: () => void = () => {},
  ) {}

  /** A signed request of the contract; throws for any status but 200. */
  async call(method: string, at: string, key: string): Promise<Json> {
    return this.fetch(method, this.signed(at, key))
  }

  /** Throws for any status but 200. */
  async fetch(method: string, at: string, body?: object): Promise<Json> {
    const { status, json } = await this.send(method, at, body)
    if (status !== 200) throw new Error(`${method} ${at}: ${status} ${JSON.stringify(json)}`)
    return json
  }

  /** All pages of a list. */
  async list(at: string): Promise<Json[]> {
    const answer = await fetch(`${this.origin}${at}`)
    const page = (await answer.json()) as Json[]
    const next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
    return next === undefined ? page : [...page, ...(await this.list(next))]
  }

  async send(method: string, at: string, body?: object): Promise<{ status: number; json: Json }> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${this.origin}${at}`, { method, ...sent })
    const json = (await answer.json()) as Json
    this.whenAnswered()
    return { status: answer.status, json }
  }

  /** A path of the contract with its prefix and a signature. */
  signed(at: string, accessKey: string): string {
    const query = signedQuery({ accessKey, secretKey: `${accessKey}-secret` }, hostClock)
    return `${PREFIX}${at}${at.includes('?') ? '&' : '?'}${query}`
  }
}
