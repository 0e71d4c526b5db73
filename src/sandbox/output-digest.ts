/**
 * A digest of all output of a sandbox since it was made or reset: sandboxes with the same output
 * have the same digest.
 *
 * Each response is hashed with its instant of the tape, and the hashes are added up: the order of
 * parallel requests makes no difference. What was answered shortly before is not hashed again. The
 * frames of a connection are hashed in order, and the connections are added up.
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

/** A response without headers of its own; the last one with that body. */
interface HashedAnswer {
  of: string
  atMs: number
  status: number
  contentType: string
  body: string
  bodyHash: Hash
  hash: Hash
}

/** Responses whose hashes are known, and the longest body: clients repeat the same requests. */
const ANSWERS_KEPT = 4
const BODY_KEPT_MAX = 16_384

export class OutputDigest {
  /** Number of responses. */
  answers = 0
  frames = 0
  private answerSum: Hash = [0, 0]
  private closedSum: Hash = [0, 0]
  private readonly open = new Set<FrameDigest>()
  private readonly known: HashedAnswer[] = []
  /** Index of the next kept response. */
  private next = 0
  /** The last frame, as one frame goes to many connections in a row. */
  private readonly last: HashedFrame = {
    frame: '',
    first: textHash('', SEEDS[0]),
    second: textHash('', SEEDS[1]),
  }

  /** Adds a response at an instant of the tape; `of` is the operation's id, or a path. */
  addAnswer(of: string, atMs: number, response: DigestedResponse): void {
    this.answers++
    add(this.answerSum, this.hashOfAnswer(of, atMs, response))
  }

  private hashOfAnswer(of: string, atMs: number, response: DigestedResponse): Hash {
    const { status, contentType, body, headers } = response
    const heads = headers ? Object.entries(headers).filter(([name]) => name !== 'date') : []
    const known = this.known.find((one) => one.body === body)
    const isSame = known?.atMs === atMs && known.of === of && known.status === status
    if (isSame && known.contentType === contentType && heads.length === 0) return known.hash
    const lanes = hashOf(JSON.stringify([of, atMs, status, contentType, heads.sort()]))
    const bodyHash = known?.bodyHash ?? hashOf(body)
    chain(lanes, ...bodyHash)
    const hash = lanes.map(mixed) as Hash
    if (heads.length > 0 || body.length > BODY_KEPT_MAX) return hash
    const answer = { of, atMs, status, contentType, body, bodyHash, hash }
    if (known) Object.assign(known, answer)
    else this.keep(answer)
    return hash
  }

  private keep(answer: HashedAnswer): void {
    this.known[this.next] = answer
    this.next = (this.next + 1) % ANSWERS_KEPT
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
    this.count++
    chain(this.lanes, first, second)
  }

  /** A connection without frames adds nothing. */
  get hash(): Hash {
    return this.count === 0 ? [0, 0] : hashOf(this.lanes.map((lane) => lane >>> 0).join())
  }
}

const hashOf = (text: string): Hash => [textHash(text, SEEDS[0]), textHash(text, SEEDS[1])]

/** Adds the next part of a sequence; 32 bits are enough for it, and larger numbers are slower. */
function chain(lanes: Hash, first: number, second: number): void {
  lanes[0] = (Math.imul(lanes[0] ^ first, 0x9e37_79b1) + second) | 0
  lanes[1] = (Math.imul(lanes[1] ^ second, 0x85eb_ca77) + first) | 0
}

/** The last step of MurmurHash3: sums of hashes that differ in few bits are not alike. */
function mixed(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85eb_ca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

function add(sum: Hash, hash: Hash): void {
  sum[0] = (sum[0] + hash[0]) >>> 0
  sum[1] = (sum[1] + hash[1]) >>> 0
}

const digits = (sum: Hash) => sum.map((lane) => lane.toString(16).padStart(8, '0')).join('')
