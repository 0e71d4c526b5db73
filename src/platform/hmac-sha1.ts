/**
 * HMAC-SHA1 by the runtime: a server computes one for every request. Not by `node:crypto`, which
 * loads streams when it is imported and takes twice as long for each.
 */

/** What is used of it: the types of the package are made where those of Bun are not known. */
declare const Bun: {
  CryptoHasher: new (
    algorithm: 'sha1',
    key: string,
  ) => { update(text: string): { digest(encoding: 'hex'): string } }
}

/** HMAC-SHA1 of a text: 40 lower-case hexadecimal letters. */
export const hexDigest = (text: string, secret: string): string =>
  new Bun.CryptoHasher('sha1', secret).update(text).digest('hex')
