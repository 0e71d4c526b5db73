/** Whether a request is signed: asked by whoever serves, never by whoever calls. */
import { equalBytes } from '../platform/equal-bytes.ts'
import { type Credentials, sign } from './signature.ts'

/**
 * Whether the signature is the right one; takes the same time wherever the first difference lies.
 */
export function isSigned(given: Credentials, secret: string): boolean {
  const right = Buffer.from(sign(given, secret), 'latin1')
  const received = Buffer.from(given.Signature, 'utf8')
  return equalBytes(received, right)
}
