/** Handles the messages of one client one after another, in the turns of its sandbox. */
import type { Slices } from '../../clock/turns.ts'
import type { SandboxMemory } from '../memory.ts'
import type { Session } from './session.ts'

type Message = string | Uint8Array

/** Maximum number of waiting messages of one client. */
const WAITING_MAX = 10_000
/** Maximum length of them together. */
const WAITING_LENGTH_MAX = 8 << 20

export class FrameInbox {
  private messages: Message[] = []
  /** Index of the next message. */
  private next = 0
  private waitingLength = 0
  private isAtWork = false

  /** @param inTurns runs work in the turns of the sandbox */
  constructor(
    private readonly session: Session,
    private readonly inTurns: (work: Slices<void>) => unknown,
    /** Waiting messages are charged to it. */
    private readonly memory: SandboxMemory | null = null,
  ) {}

  /** Queues a message; closes the connection when too much waits. */
  receive(message: Message): void {
    const isTooMuch = this.waitingCount >= WAITING_MAX || this.waitingLength >= WAITING_LENGTH_MAX
    if (isTooMuch) return this.refuse()
    if (this.memory?.hasRoomFor(message.length) === false)
      return this.session.close('the sandbox has no memory for more messages', 1008)
    this.session.idleTimeout.noteActivity()
    this.messages.push(message)
    this.waitingLength += message.length
    this.memory?.add('queues', message.length)
    if (this.isAtWork) return
    this.isAtWork = true
    this.inTurns(this.working())
  }

  private get waitingCount(): number {
    return this.messages.length - this.next
  }

  private refuse(): void {
    const most = `at most ${WAITING_MAX}, of ${WAITING_LENGTH_MAX} bytes`
    const { waitingCount, waitingLength } = this
    this.session.close(`${waitingCount} frames wait, of ${waitingLength} bytes: ${most}`, 1008)
  }

  private *working(): Slices<void> {
    try {
      for (let message = this.take(); message !== undefined; message = this.take()) {
        yield* this.session.receive(message)
        if (this.waitingCount > 0) yield
      }
    } finally {
      this.isAtWork = false
    }
  }

  private take(): Message | undefined {
    const message = this.messages[this.next]
    if (message === undefined) return undefined
    this.waitingLength -= message.length
    this.memory?.add('queues', -message.length)
    this.next++
    if (this.waitingCount === 0) {
      this.messages = []
      this.next = 0
    }
    return message
  }
}
