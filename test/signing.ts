import { credentials } from '../src/contract/signature.ts'

let nonce = 0

/** Signature parameters of a key as the control plane hands it out, signed now. */
export function signedQuery(key: { access_key: string; secret_key?: string }): string {
  const parts = credentials({
    accessKey: key.access_key,
    secretKey: key.secret_key ?? `${key.access_key}-secret`,
    nonce: `n${nonce++}`,
    timestampS: Math.floor(Date.now() / 1000),
  })
  return new URLSearchParams({ ...parts }).toString()
}
