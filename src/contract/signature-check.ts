/** Checks signatures; used by servers only, not by clients. */
import { type Credentials, sign } from './signature.ts'

/** Whether the signature is valid, in constant time. */
export function isSigned(given: Credentials, secret: string): boolean {
  const right = sign(given, secret)
  const received = given.Signature
  if (received.length !== right.length) return false
  let difference = 0
  for (let at = 0; at < right.length; at++)
    difference |= received.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

/** Compares bytes in constant time. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < one.length; at++) difference |= (one[at] as number) ^ (other[at] as number)
  return difference === 0
}
