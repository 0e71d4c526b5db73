/** Signatures that are nearly right. */
import { createHmac } from 'node:crypto'
import { hexDigest } from '../platform/hmac-sha1.ts'

/** The parameters in other orders. */
export const WRONG_ORDERS = [
  ['SignatureNonce', 'AccessKeyId', 'Timestamp'],
  ['Timestamp', 'SignatureNonce', 'AccessKeyId'],
  ['AccessKeyId', 'Timestamp', 'SignatureNonce'],
] as const

export const inBase64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

/** Made of the right text in a wrong way. */
export const WRONG_DIGESTS: Record<string, (text: string, secret: string) => string> = {
  'the digest itself in Base64': (text, secret) =>
    createHmac('sha1', secret).update(text).digest('base64'),
  'hexadecimal text without Base64': (text, secret) => hexDigest(text, secret),
  'upper-case hexadecimal text': (text, secret) => inBase64(hexDigest(text, secret).toUpperCase()),
  'HMAC-SHA256': (text, secret) =>
    inBase64(createHmac('sha256', secret).update(text).digest('hex')),
  'nothing at all': () => '',
}
