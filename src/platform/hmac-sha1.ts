/**
 * HMAC-SHA1 by the runtime: a server computes one for every request. `node:crypto` would load
 * streams on import, and takes twice as long for each.
 */

/** The used part: the types of the package are built without those of Bun. */
declare const Bun: {
  CryptoHasher: new (
    algorithm: 'sha1',
    key: string,
  ) => { update(text: string): { digest(encoding: 'hex'): string } }
}

/** HMAC-SHA1 of a text: 40 lower-case hexadecimal letters. */
export const hexDigest = (text: string, secret: string): string =>
  new Bun.CryptoHasher('sha1', secret).update(text).digest('hex')
