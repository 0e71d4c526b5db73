import type { Machine } from '../src/clock/machine.ts'
import { credentials } from '../src/contract/signature.ts'
import { still } from './still-machine.ts'

let nonce = 0

/**
 * Signature parameters of a key as the control plane hands it out, signed now by a machine: the
 * one that stands still unless the server is a process of its own.
 */
export function signedQuery(
  key: { accessKey: string; secretKey?: string },
  by: Machine = still,
): string {
  const parts = credentials({
    accessKey: key.accessKey,
    secretKey: key.secretKey ?? `${key.accessKey}-secret`,
    nonce: `n${nonce++}`,
    timestampS: Math.floor(by.nowMs() / 1000),
  })
  return new URLSearchParams({ ...parts }).toString()
}
