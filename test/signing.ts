import { credentials } from '../src/contract/signature.ts'

let nonce = 0

/** Signature parameters of a key as the control plane hands it out, signed now. */
export function signedQuery(key: { accessKey: string; secretKey?: string }): string {
  const parts = credentials({
    accessKey: key.accessKey,
    secretKey: key.secretKey ?? `${key.accessKey}-secret`,
    nonce: `n${nonce++}`,
    timestampS: Math.floor(Date.now() / 1000),
  })
  return new URLSearchParams({ ...parts }).toString()
}
