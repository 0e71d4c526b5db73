/** Messages compressed by permessage-deflate (RFC 7692), as one side sends them. */
import { constants, inflateRawSync } from 'node:zlib'

const TAIL = Buffer.from([0, 0, 0xff, 0xff])
const WINDOW_BYTES = 32 * 1024

export class Inflation {
  private window = Buffer.alloc(0)

  /** @param keepsContext whether a message may refer to those before it */
  constructor(
    private readonly keepsContext: boolean,
    private readonly most: number,
  ) {}

  /** The message as it was before; throws when it is not compressed so, or too long. */
  inflate(bytes: Buffer): Buffer {
    const message = inflateRawSync(Buffer.concat([bytes, TAIL]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: this.most,
      ...(this.window.length === 0 ? {} : { dictionary: this.window }),
    })
    if (this.keepsContext) {
      const joined = message.length < WINDOW_BYTES ? Buffer.concat([this.window, message]) : message
      this.window = Buffer.from(joined.subarray(-WINDOW_BYTES))
    }
    return message
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
