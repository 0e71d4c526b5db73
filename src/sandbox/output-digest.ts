/**
 * A digest of all output of a sandbox since it was made or reset: sandboxes with the same output
 * have the same digest.
 *
 * Each response is hashed with its instant of the tape, and the hashes are added up: the order of
 * parallel requests makes no difference. The frames of a connection are hashed in order, and the
 * connections are added up.
 */
import { textHash } from '../platform/text-hash.ts'

/** The parts of a response that belong to the sandbox: its `Date` depends on the machine. */
interface DigestedResponse {
  status: number
  contentType: string
  body: string
  headers?: Record<string, string>
}

/** Two hashes of 32 bits, so that collisions are unlikely. */
type Hash = [number, number]

const SEEDS: Hash = [0x7461_7065, 0x7361_6964]

interface HashedFrame {
  frame: string
  first: number
  second: number
}

export class OutputDigest {
  /** Number of responses. */
  answers = 0
  frames = 0
  private answerSum: Hash = [0, 0]
  private closedSum: Hash = [0, 0]
  private readonly open = new Set<FrameDigest>()
  /** The last frame, as one frame goes to many connections in a row. */
  private readonly last: HashedFrame = {
    frame: '',
    first: textHash('', SEEDS[0]),
    second: textHash('', SEEDS[1]),
  }

  /** Adds a response at an instant of the tape; `of` is the operation's id, or a path. */
  addAnswer(
    of: string,
    atMs: number,
    { status, contentType, body, headers }: DigestedResponse,
  ): void {
    this.answers++
    const heads = Object.entries(headers ?? {}).filter(([name]) => name !== 'date')
    const head = JSON.stringify([of, atMs, status, contentType, heads.sort()])
    add(this.answerSum, hashOf(`${head}\n${body}`))
  }

  /** Adds a connection to a path; its frames are added to the result. */
  connection(path: string): FrameDigest {
    const frames = new FrameDigest(path, (frame) => this.hashed(frame))
    this.open.add(frames)
    return frames
  }

  /** Ends a connection: its frames stay in the digest. */
  closed(frames: FrameDigest | null): void {
    if (frames && this.open.delete(frames)) add(this.closedSum, frames.hash)
  }

  /** 16 digits of the responses and 16 of the frames. */
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

  /** Adds a sent frame. */
  add(frame: string): void {
    const { first, second } = this.hashed(frame)
    const { lanes } = this
    this.count++
    // 32 bits are enough for the next frame, and larger numbers are slower.
    lanes[0] = (Math.imul(lanes[0] ^ first, 0x9e37_79b1) + second) | 0
    lanes[1] = (Math.imul(lanes[1] ^ second, 0x85eb_ca77) + first) | 0
  }

  /** A connection without frames adds nothing. */
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
