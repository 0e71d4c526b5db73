/** HMAC-SHA1 by the runtime: a server computes one for every request. */
import { createHmac } from 'node:crypto'

/** HMAC-SHA1 of a text: 40 lower-case hexadecimal letters. */
export const hexDigest = (text: string, secret: string): string =>
  createHmac('sha1', secret).update(text).digest('hex')
