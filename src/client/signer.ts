/** Fresh signature parameters for each request and each connection. */
import type { SystemClock } from '../clock/system-clock.ts'
import { type Credentials, credentials } from '../contract/signature.ts'

export type Signer = () => Credentials

/** @param nonce text that differs each time; the time and a count when left out */
export function signer(
  key: { accessKey: string; secretKey: string },
  by: SystemClock,
  nonce: () => string = countingNonce(by),
): Signer {
  return () => credentials({ ...key, nonce: nonce(), timestampS: Math.floor(by.nowMs() / 1000) })
}

/** Two clients of one key begin at different fractions of a millisecond. */
function countingNonce(by: SystemClock): () => string {
  const start = by.nowMs().toString(36).replace('.', '')
  let count = 0
  return () => `${start}-${count++}`
}
