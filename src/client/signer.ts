/** Fresh signature parameters for each request and each connection. */
import type { SystemClock } from '../clock/system-clock.ts'
import { type Credentials, credentials } from '../contract/signature.ts'

export type Signer = () => Credentials

/** @param nonce text that differs each time; the time and a count when left out */
export function signer(
  key: { accessKey: string; secretKey: string },
  systemClock: SystemClock,
  nonce: () => string = countingNonce(systemClock),
): Signer {
  return () =>
    credentials({ ...key, nonce: nonce(), timestampS: Math.floor(systemClock.nowMs() / 1000) })
}

/** Two clients of one key begin at different fractions of a millisecond. */
function countingNonce(systemClock: SystemClock): () => string {
  const start = systemClock.nowMs().toString(36).replace('.', '')
  let count = 0
  return () => `${start}-${count++}`
}
