/**
 * What a sandbox has said since it was made or reset, as one line: two that said the same have the
 * same one.
 *
 * Each answer counts with the instant of the tape at which it was given, and answers are added up:
 * in which order parallel requests came in makes no difference. The frames of a connection count in
 * their order, and connections are added up.
 */
import { textHash } from '../platform/text-hash.ts'

/** An answer as far as it is the sandbox's: its `Date` tells of the machine. */
interface SaidAnswer {
  status: number
  contentType: string
  body: string
  headers?: Record<string, string>
}

/** Two hashes of 32 bits: together they do not meet by chance. */
type Hash = [number, number]

const SEEDS: Hash = [0x7461_7065, 0x7361_6964]

interface HashedFrame {
  frame: string
  first: number
  second: number
}

export class SaidDigest {
  /** How many there were. */
  answers = 0
  frames = 0
  private answerSum: Hash = [0, 0]
  private closedSum: Hash = [0, 0]
  private readonly open = new Set<FrameDigest>()
  /** One frame goes to many connections, one after another. */
  private readonly last: HashedFrame = {
    frame: '',
    first: textHash('', SEEDS[0]),
    second: textHash('', SEEDS[1]),
  }

  /** An answer was given, at that instant of the tape; `of` is the operation's id, or a path. */
  addAnswer(of: string, atMs: number, { status, contentType, body, headers }: SaidAnswer): void {
    this.answers++
    const heads = Object.entries(headers ?? {}).filter(([name]) => name !== 'date')
    const head = JSON.stringify([of, atMs, status, contentType, heads.sort()])
    add(this.answerSum, hashOf(`${head}\n${body}`))
  }

  /** A connection was made to a path; its frames are added to the result. */
  connection(path: string): FrameDigest {
    const frames = new FrameDigest(path, (frame) => this.hashed(frame))
    this.open.add(frames)
    return frames
  }

  /** The connection is gone: what it was sent stays. */
  closed(frames: FrameDigest | null): void {
    if (frames && this.open.delete(frames)) add(this.closedSum, frames.hash)
  }

  /** 16 digits of the answers and 16 of the frames. */
  get text(): string {
    const frameSum: Hash = [...this.closedSum]
    for (const frames of this.open) add(frameSum, frames.hash)
    return `${digits(this.answerSum)}-${digits(frameSum)}`
  }

  private hashed(frame: string): HashedFrame {
    const { last } = this
    this.frames++
    if (frame !== last.frame) {
      last.frame = frame
      last.first = textHash(frame, SEEDS[0])
      last.second = textHash(frame, SEEDS[1])
    }
    return last
  }
}

/** The frames of one connection, in their order. */
export class FrameDigest {
  private count = 0
  private readonly lanes: Hash

  constructor(
    path: string,
    private readonly hashed: (frame: string) => HashedFrame,
  ) {
    this.lanes = hashOf(path)
  }

  /** A frame is on its way. */
  add(frame: string): void {
    const { first, second } = this.hashed(frame)
    const { lanes } = this
    this.count++
    // Of 32 bits, as the next frame needs no more: larger numbers take longer.
    lanes[0] = (Math.imul(lanes[0] ^ first, 0x9e37_79b1) + second) | 0
    lanes[1] = (Math.imul(lanes[1] ^ second, 0x85eb_ca77) + first) | 0
  }

  /** A connection that was sent nothing counts for nothing. */
  get hash(): Hash {
    return this.count === 0 ? [0, 0] : hashOf(this.lanes.map((lane) => lane >>> 0).join())
  }
}

const hashOf = (text: string): Hash => [textHash(text, SEEDS[0]), textHash(text, SEEDS[1])]

function add(sum: Hash, hash: Hash): void {
  sum[0] = (sum[0] + hash[0]) >>> 0
  sum[1] = (sum[1] + hash[1]) >>> 0
}

const digits = (sum: Hash) => sum.map((lane) => lane.toString(16).padStart(8, '0')).join('')
