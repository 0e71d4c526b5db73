/** The user channels: lists of addresses, acknowledged without a name, so one list at a time. */
import { ClientError } from '../errors.ts'
import type { Stream } from './stream.ts'
import {
  type Frame,
  type ProtocolSettings,
  type SubscribeProtocol,
  Unacknowledged,
} from './subscribe-protocol.ts'

export class AddressProtocol implements SubscribeProtocol {
  private readonly waiting = new Set<Stream>()
  private inFlight: readonly Stream[] = []
  private readonly unacknowledged: Unacknowledged
  private discarded = 0

  /** @param onDiscarded so many more pushes were discarded by the service */
  constructor(
    private readonly settings: ProtocolSettings,
    private readonly onDiscarded: (count: number) => void,
  ) {
    const release = {
      ...settings,
      onUnacknowledged: this.releasing(settings.onUnacknowledged),
    }
    this.unacknowledged = new Unacknowledged(release, (stream) => this.ask('subscribe', [stream]))
  }

  subscribe(streams: readonly Stream[]): void {
    for (const stream of streams) this.waiting.add(stream)
    this.next()
  }

  unsubscribe(stream: Stream): void {
    this.waiting.delete(stream)
    this.unacknowledged.remove(stream)
    this.inFlight = this.inFlight.filter((one) => one !== stream)
    this.ask('unsubscribe', [stream])
  }

  take(kind: string, { data }: Frame): boolean {
    if (kind === 'subscribe') this.acknowledged()
    else if (kind === 'error') this.takeError(String(data))
    else if (kind === 'stat') this.takeStat(Object(data))
    else return kind === 'pong' || kind === 'unsubscribe'
    return true
  }

  lost(): void {
    this.unacknowledged.clear()
    this.waiting.clear()
    this.inFlight = []
    this.discarded = 0
  }

  private next(): void {
    if (this.inFlight.length > 0 || this.waiting.size === 0) return
    this.inFlight = [...this.waiting]
    this.waiting.clear()
    for (const stream of this.inFlight) this.unacknowledged.add(stream)
    this.ask('subscribe', this.inFlight)
  }

  private ask(type: string, streams: readonly Stream[]): void {
    this.settings.send({ type, address: streams.map(({ fields }) => fields.address) })
  }

  private acknowledged(): void {
    const { inFlight } = this
    this.inFlight = []
    for (const stream of inFlight) {
      this.unacknowledged.remove(stream)
      stream.acknowledged()
    }
    this.next()
  }

  /** By the address in its text; without one it is of all that is asked for, or of nothing. */
  private takeError(reason: string): void {
    const [address] = /0x[0-9a-f]{40}/i.exec(reason) ?? []
    const isOfAll = reason.startsWith('Permission denied')
    const refused = this.inFlight.filter(
      ({ fields }) => isOfAll || String(fields.address) === address?.toLowerCase(),
    )
    if (refused.length === 0) {
      this.unacknowledged.lastError = reason
      return this.settings.onError(reason)
    }
    const refuse = this.releasing(this.settings.onRefused)
    for (const stream of refused) {
      this.unacknowledged.remove(stream)
      refuse(stream, new ClientError(stream.channel.id, reason), reason)
    }
  }

  private takeStat({ discardedCount }: Frame): void {
    const more = Number(discardedCount) - this.discarded
    if (!(more > 0)) return
    this.discarded += more
    this.onDiscarded(more)
  }

  /** What is refused does not keep others waiting. */
  private releasing(onRefused: ProtocolSettings['onRefused']): ProtocolSettings['onRefused'] {
    return (stream, error, reason) => {
      this.inFlight = this.inFlight.filter((one) => one !== stream)
      onRefused(stream, error, reason)
      this.next()
    }
  }
}
