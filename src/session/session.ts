/**
 * The way of a socket frame: understand, act, reply. It knows the contract and nothing of sockets.
 */
import type { Channel } from '../contract/channel.ts'
import { type Dialect, NODE, VENUE, type Wish } from '../contract/dialect.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Caller } from './connection.ts'
import { Diary } from './diary.ts'
import { follow, follows, unfollow } from './following.ts'
import { FRAME_MOST, parseFrame } from './frame-text.ts'
import { type Hub, hubOf } from './hub.ts'
import { Outbox } from './outbox.ts'
import { postAnswer } from './post.ts'
import { statOf } from './stat.ts'
import type { Stream } from './stream.ts'
import { Troubled } from './troubled.ts'
import type { Wire } from './wire.ts'

/** Without a message from the client for this long the connection is dropped (spec, Limits). */
export const IDLE_MS = 60_000

const IDLE_WORDS = 'idle for 60 s'

export class Session {
  /** Streams by their id. */
  readonly streams = new Map<string, Stream>()
  readonly startedMs: number
  private readonly outbox: Outbox
  private readonly hub: Hub
  private readonly diary: Diary
  private heardMs: number
  private cancelIdle: (() => void) | null = null
  private cancelDrop: () => void
  private open = true

  readonly troubled: Troubled
  readonly dialect: Dialect
  readonly channels: readonly Channel[]

  constructor(
    readonly sandbox: Sandbox,
    socket: { dialect: Dialect; channels: readonly Channel[] },
    readonly caller: Caller,
    private readonly wire: Wire,
  ) {
    this.dialect = socket.dialect
    this.channels = socket.channels
    this.troubled = new Troubled(this)
    const out = (frames: readonly string[]) => this.diary.frames('out', frames)
    this.outbox = new Outbox(this.troubled.wire(wire), out)
    this.hub = hubOf(sandbox)
    const number = this.hub.enter(this)
    this.diary = new Diary(sandbox, number, this.dialect.path, caller.key?.accessKey ?? null)
    this.diary.opened()
    this.startedMs = this.heardMs = sandbox.clock.nowMs()
    this.cancelDrop = sandbox.whenDropped(() => this.end('the sandbox is gone'))
    if (this.dialect === VENUE && sandbox.answers['venue-greeting'] === 'text') this.greet()
    this.awaitIdle()
  }

  get queueLength(): number {
    return this.outbox.length
  }

  get ready(): boolean {
    return this.outbox.ready
  }

  /** A message from the client; a binary one is told that it is not text. */
  receive(message: string | Uint8Array): void {
    if (!this.open) return
    this.heardMs = this.sandbox.clock.nowMs()
    if (typeof message === 'string') this.diary.frames('in', [message])
    if (typeof message !== 'string') this.complain('send text frames, not binary ones')
    else if (message.length > FRAME_MOST)
      this.complain(`a frame has at most ${FRAME_MOST} characters`)
    else this.act(this.dialect.understand(parseFrame(message), message))
    this.flush()
  }

  /** Queues a frame; `flush` hands it over. */
  push(frame: string): void {
    if (this.dialect.idle === 'either') this.heardMs = this.sandbox.clock.nowMs()
    this.outbox.put(frame)
  }

  /** Queues what a stream has to say, after what scenarios make of it. */
  hear(stream: Stream, frame: string): void {
    for (const one of this.troubled.push(stream, frame)) this.push(one)
  }

  /** Queues an acknowledgement or an error: these never keep a connection alive. */
  answer(frame: string): void {
    this.outbox.put(frame)
  }

  /** Journals what a scenario did. */
  note(rule: string, what: string): void {
    this.diary.troubled(rule, what)
  }

  flush(): void {
    const before = this.outbox.length
    this.outbox.flush()
    if (this.outbox.length < before) this.hub.touched()
  }

  complain(text: string): void {
    this.answer(this.dialect.error(text))
  }

  /** Adds a subscription; the snapshot goes to this session only. */
  join(channel: Channel, subscription: Record<string, unknown>, id: string): void {
    const stream = this.hub.join(this, channel, subscription)
    this.streams.set(id, stream)
  }

  part(id: string): void {
    const stream = this.streams.get(id)
    if (!stream) return
    this.streams.delete(id)
    this.hub.part(this, stream)
  }

  /** Closes in good order, or with a code; with 1006 it is dropped. */
  end(reason: string, code = 1000): void {
    if (!this.open) return
    this.closed(code, reason)
    if (code === 1006) this.wire.terminate()
    else this.wire.close(code, reason)
  }

  /** The connection is gone, whoever closed it. */
  closed(code: number | null = null, reason = 'the client has gone'): void {
    if (!this.open) return
    this.open = false
    this.cancelIdle?.()
    this.cancelDrop()
    for (const id of [...this.streams.keys()]) this.part(id)
    this.hub.leave(this)
    this.diary.closed(code, reason)
  }

  private get pong(): string {
    const { dialect, sandbox } = this
    const older = dialect.name === 'addresses' && sandbox.answers['user-pong'] === 'channel'
    return older ? NODE.pong : dialect.pong
  }

  private greet(): void {
    this.answer('Websocket connection established.')
    this.flush()
  }

  private act(wish: Wish): void {
    switch (wish.wish) {
      case 'ping':
        return this.troubled.loses('pong') ? undefined : this.push(this.pong)
      case 'subscribe':
      case 'unsubscribe':
        return wish.wish === 'subscribe'
          ? follow(this, wish.subscription)
          : unfollow(this, wish.subscription)
      case 'addresses':
        return follows(this, wish.add, wish.addresses)
      case 'post':
        return this.answer(postAnswer(this.sandbox, wish))
      case 'stat':
        return this.push(statOf(this, this.outbox))
      case 'close':
        return this.end('closed as asked')
      case 'unknown':
        return this.complain(wish.why)
    }
  }

  /** What counts as life, the dialect says: one alarm that looks when there was any. */
  private awaitIdle(): void {
    const { clock } = this.sandbox
    const look = () => {
      if (clock.nowMs() - this.heardMs < IDLE_MS) return this.awaitIdle()
      this.end(IDLE_WORDS, this.sandbox.answers['idle-close'] === '1000' ? 1000 : 1006)
    }
    this.cancelIdle = clock.at(this.heardMs + IDLE_MS, look, `idle rule of ${this.dialect.path}`)
  }
}
