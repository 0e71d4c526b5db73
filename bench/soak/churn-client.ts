/** Client of the churn: sandboxes that are created and dropped, with their sockets. */
import { hostClock } from '../../src/clock/system-clock.ts'
import type { RandomSource } from '../../src/random/random-source.ts'
import { signedQuery } from '../../test/fixtures/signed-query.ts'

export interface ChurnedSandbox {
  id: string
  key: { accessKey: string; secretKey: string }
  /** Whether a test moves its clock. */
  isHeld: boolean
  /** Whether it ever had a scenario: then its responses may be anything. */
  isFaulty: boolean
  sockets: Set<WebSocket>
}

export class ChurnClient {
  readonly sandboxes = new Map<string, ChurnedSandbox>()
  /** Responses by the hundred of their status, and refused sockets. */
  readonly counts = { answered: 0, refused: 0, lost: 0, sockets: 0, sandboxes: 0 }

  constructor(private readonly origin: string) {}

  some(random: RandomSource): ChurnedSandbox | undefined {
    const all = [...this.sandboxes.values()]
    return all[random.between(0, Math.max(0, all.length - 1))]
  }

  /** A call of the control plane; returns its response. */
  async control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${this.origin}/_control${path}`, { method, ...sent })
    const text = await answer.text()
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    if (answer.ok) this.counts.answered++
    else this.counts.refused++
    return JSON.parse(text)
  }

  /** A signed request in a sandbox. */
  async read(sandbox: ChurnedSandbox, path: string, body?: object): Promise<void> {
    const url = this.url(sandbox, path)
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    try {
      const answer = await fetch(url, sent)
      const text = await answer.text()
      const isGone = !this.sandboxes.has(sandbox.id)
      if (answer.status >= 500 && !sandbox.isFaulty && !isGone)
        throw new Error(`${path}: ${answer.status} ${text}`)
      if (answer.ok) this.counts.answered++
      else this.counts.refused++
    } catch (error) {
      // A scenario may drop connections.
      if (!sandbox.isFaulty) throw error
      this.counts.lost++
    }
  }

  /** The 200 response to a signed request; an Error for any other. */
  async text(sandbox: ChurnedSandbox, path: string, body: object): Promise<string> {
    const sent = { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(this.url(sandbox, path), sent)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
    this.counts.answered++
    return text
  }

  /** Opens a socket with the given frames; counts a refused one. */
  async connect(sandbox: ChurnedSandbox, path: string, frames: readonly object[]): Promise<void> {
    const socket = new WebSocket(this.url(sandbox, path).replace('http', 'ws'))
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.onopen = () => {
      this.counts.sockets++
      for (const frame of frames) socket.send(JSON.stringify(frame))
      resolve()
    }
    socket.onerror = () => resolve()
    socket.onclose = () => {
      sandbox.sockets.delete(socket)
      resolve()
    }
    sandbox.sockets.add(socket)
    await promise
  }

  async make(options: Record<string, unknown>): Promise<void> {
    const made = await this.control('POST', '/sandboxes', options)
    if (made.id === undefined) return
    const { full } = made.keys as { full: ChurnedSandbox['key'] }
    this.counts.sandboxes++
    this.sandboxes.set(made.id as string, {
      id: made.id as string,
      key: full,
      isHeld: options.clock === 'held',
      isFaulty: options.scenario !== undefined,
      sockets: new Set(),
    })
  }

  async drop(sandbox: ChurnedSandbox): Promise<void> {
    this.sandboxes.delete(sandbox.id)
    const url = `${this.origin}/_control/sandboxes/${sandbox.id}`
    for (;;) {
      const { status } = await fetch(url, { method: 'DELETE' })
      if (status >= 500) throw new Error(`a sandbox could not be dropped: ${status}`)
      // Reset or restored concurrently: it still exists.
      if (status !== 409) return
    }
  }

  private url({ id, key }: ChurnedSandbox, path: string): string {
    const mark = path.includes('?') ? '&' : '?'
    return `${this.origin}/s/${id}/api/upgrade/v2${path}${mark}${signedQuery(key, hostClock)}`
  }
}
