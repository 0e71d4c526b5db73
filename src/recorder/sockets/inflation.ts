/** Messages compressed by permessage-deflate (RFC 7692), as one side sends them. */
import { constants, inflateRawSync } from 'node:zlib'

const TAIL = Buffer.from([0, 0, 0xff, 0xff])
/** A message so many times too long is read all the same, as later ones may refer to it. */
const FOLLOWED = 8
const WINDOW_BYTES = 32 * 1024

export class Inflation {
  private window = Buffer.alloc(0)

  /**
   * @param keepsContext whether a message may refer to those before it
   * @param most bytes of a message that is kept
   */
  constructor(
    private readonly keepsContext: boolean,
    private readonly most: number,
  ) {}

  /**
   * The message as it was before, null when it is too long to keep; throws when it is not
   * compressed so, or when nothing can be read after it.
   *
   * @param bytes null when they were too many themselves
   */
  inflate(bytes: Buffer | null): Buffer | null {
    const message = bytes === null ? null : this.inflated(bytes)
    if (message === null) {
      if (!this.keepsContext) return null
      throw new Error('compresses on with a message that was too long to keep')
    }
    if (this.keepsContext) {
      const joined = message.length < WINDOW_BYTES ? Buffer.concat([this.window, message]) : message
      this.window = Buffer.from(joined.subarray(-WINDOW_BYTES))
    }
    return message.length <= this.most ? message : null
  }

  private inflated(bytes: Buffer): Buffer | null {
    try {
      return inflateRawSync(Buffer.concat([bytes, TAIL]), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: this.most * FOLLOWED,
        ...(this.window.length === 0 ? {} : { dictionary: this.window }),
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null
      throw error
    }
  }
}

/** What the answer to a handshake agrees to, of each side; null when nothing is compressed. */
export function agreedDeflation(
  extensions: string | null,
): { client: boolean; service: boolean } | null {
  const agreed = (extensions ?? '')
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
    .find(([name]) => name === 'permessage-deflate')
  if (agreed === undefined) return null
  return {
    client: !agreed.includes('client_no_context_takeover'),
    service: !agreed.includes('server_no_context_takeover'),
  }
}
