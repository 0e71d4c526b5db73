import { connectUpstream, type UpstreamEvents } from './tcp/upstream-connection.ts'
import type { Wire } from './tcp/wire.ts'
import type { UpstreamAddress } from './upstream-address.ts'

/** A client's own connection to the service, made when there is something to send. */
export class ServiceLink {
  private wire: Wire | null = null
  private unsent: Buffer[] = []
  private isConnecting = false
  private isCut = false

  constructor(
    private readonly client: Wire,
    private readonly address: UpstreamAddress,
    private readonly events: UpstreamEvents & { unreachable(why: string): void },
  ) {}

  send(bytes: Buffer): void {
    if (this.wire) return this.wire.send(bytes)
    if (bytes.length > 0) this.unsent.push(Buffer.from(bytes))
    if (this.isConnecting || this.isCut) return
    this.isConnecting = true
    // Nothing more is read than what has come already.
    this.client.pause()
    connectUpstream(this.address, this.events).then(
      (wire) => this.connected(wire),
      (error: Error) => this.isCut || this.events.unreachable(error.message),
    )
  }

  /** Closes it once everything has gone out. */
  end(): void {
    if (this.wire) this.wire.end()
    else this.isCut = true
  }

  /** Closes it now, or as soon as it is there. */
  cut(): void {
    this.isCut = true
    this.wire?.cut()
  }

  private connected(wire: Wire): void {
    if (this.isCut) return wire.cut()
    this.wire = wire
    wire.drawFrom(this.client)
    this.client.drawFrom(wire)
    this.client.resume()
    for (const bytes of this.unsent) wire.send(bytes)
    this.unsent = []
  }
}
