/**
 * HMAC-SHA1 without `node:crypto`, as in a browser, whose own cryptography is asynchronous and only
 * on secure pages. The package's entries sign with it, except on Bun.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** HMAC-SHA1 of a text: 40 lower-case hexadecimal letters. */
export const hexDigest = (text: string, secret: string): string =>
  bytesToHex(hmac(sha1, utf8ToBytes(secret), utf8ToBytes(text)))
