/** A local order book that can be read only while it is sound. */
import { hostClock, type SystemClock } from '../../../clock/system-clock.ts'
import type { ChannelTypes } from '../contract/channels.ts'
import type { BookLevel } from '../contract/records.ts'
import { ClientError } from '../errors.ts'
import type { StreamCalls } from '../lean-client.ts'
import { SilenceWatch } from '../streams/reconnecting-socket.ts'
import type { StreamEvent, Subscription } from '../streams/subscription.ts'

/** Only a `sound` book can be read. */
export type BookStatus =
  /** No data has been received. */
  | 'waiting'
  | 'sound'
  /** Its best bid is not below its best ask. */
  | 'crossed'
  /** A side has no levels. */
  | 'empty'
  /** The service has marked it as expired. */
  | 'stale'
  /** Its time has not advanced for too long. */
  | 'old'
  /** Its connection is lost, and will be restored. */
  | 'lost'
  /** The service has refused it. */
  | 'refused'
  | 'closed'

export interface LocalBookOptions {
  /** Digits to which prices are rounded: 2 to 5. */
  nSigFigs?: number | undefined
  mantissa?: 2 | 5 | undefined
  /** Maximum age of a readable book, ms (15 000). */
  maxAgeMs?: number | undefined
  /** Called whenever its status changes, with the reason. */
  onStatus?: ((status: BookStatus, why: string) => void) | undefined
  /** Called with each sound book. */
  onChange?: ((book: SoundBook) => void) | undefined
  /** The machine's by default. */
  systemClock?: SystemClock | undefined
}

/** A book that can be traded on. */
export interface SoundBook {
  coin: string
  /** Best first. */
  bids: readonly BookLevel[]
  /** Best first. */
  asks: readonly BookLevel[]
  /** By the service's clock. */
  timeMs: number
  /** Time since its time last advanced, by the machine's clock. */
  ageMs: number
}

type Pushed = ChannelTypes['l2Book']['data']

export class LocalBook {
  private pushed: Pushed | null = null
  private advancedMs = 0
  private why = 'nothing has come yet'
  private current: BookStatus = 'waiting'
  private readonly systemClock: SystemClock
  private readonly watch: SilenceWatch
  private readonly subscription: Subscription

  constructor(
    service: Pick<StreamCalls, 'subscribe'>,
    readonly coin: string,
    private readonly options: LocalBookOptions = {},
  ) {
    const { nSigFigs, mantissa, maxAgeMs = 15_000, systemClock = hostClock } = options
    this.systemClock = systemClock
    this.watch = new SilenceWatch(systemClock, maxAgeMs, (forMs) =>
      this.become('old', `its time has not advanced for ${Math.round(forMs)} ms`),
    )
    this.subscription = service.subscribe(
      'l2Book',
      { coin, nSigFigs, mantissa },
      (book, { stale }) => this.take(book, stale),
      { onEvent: (event) => this.note(event) },
    )
  }

  get status(): BookStatus {
    return this.current
  }

  /** Time since its time last advanced, ms; null without data. */
  get ageMs(): number | null {
    return this.pushed === null ? null : this.systemClock.monotonicMs() - this.advancedMs
  }

  /** Resolves once it is subscribed to; rejects when it is refused. */
  get ready(): Promise<void> {
    return this.subscription.ready
  }

  /** The book; throws a ClientError with the reason where it is not sound. */
  read(): SoundBook {
    const { pushed, coin } = this
    if (pushed === null || this.current !== 'sound')
      throw new ClientError(`book of ${coin}`, `${this.current}: ${this.why}`)
    const [bids, asks] = pushed.levels
    return { coin, bids, asks, timeMs: pushed.time, ageMs: this.ageMs ?? 0 }
  }

  close(): void {
    this.subscription.close()
  }

  private take(book: Pushed, stale: boolean): void {
    if (this.pushed === null || book.time !== this.pushed.time) {
      this.advancedMs = this.systemClock.monotonicMs()
      this.watch.news()
    } else if (this.current === 'old') return
    this.pushed = book
    const [status, why] = stale ? STALE : statusOf(book.levels)
    this.become(status, why)
    if (status === 'sound') this.options.onChange?.(this.read())
  }

  private note(event: StreamEvent): void {
    if (event.type === 'lost') this.become('lost', 'its connection is lost')
    if (event.type === 'refused') this.become('refused', event.reason)
    if (event.type === 'closed') this.become('closed', 'it was closed')
    if (['lost', 'refused', 'closed'].includes(event.type)) this.watch.stop()
  }

  private become(status: BookStatus, why: string): void {
    const isNew = this.current !== status
    this.current = status
    this.why = why
    if (isNew) this.options.onStatus?.(status, why)
  }
}

const STALE: [BookStatus, string] = ['stale', 'the service says that it has expired']

function statusOf([[bid], [ask]]: Pushed['levels']): [BookStatus, string] {
  if (!bid || !ask) return ['empty', `there is no ${bid ? 'ask' : ask ? 'bid' : 'bid and no ask'}`]
  if (Number(bid.px) < Number(ask.px)) return ['sound', '']
  return ['crossed', `its best bid ${bid.px} is not below its best ask ${ask.px}`]
}
