/** Examples of the contract with who and what there is in a world in the place of placeholders. */
import type { Example, Operation } from '../contract/operation.ts'

/** What of a sandbox's cast is needed. */
export interface Known {
  addresses: Record<string, string | null>
  oids: { filled: number[] }
  twapIds: number[]
  builders: string[]
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
}

/** The address that stands in examples for any. */
export const ANYBODY = '0x0000000000000000000000000000000000000001'

/** An example as it can be asked. */
export function filled({ id }: Operation, example: Example, known: Known): Example {
  const completed = known.completedPositions[0]
  const open = known.openPositions[0]
  const text = JSON.stringify(example).replaceAll(ANYBODY, addressFor(id, known) ?? ANYBODY)
  const asked = JSON.parse(text) as Example
  const path = { ...asked.path }
  if (path.oid !== undefined) path.oid = String(known.oids.filled[0] ?? path.oid)
  if (path.twapid !== undefined) path.twapid = String(known.twapIds[0] ?? path.twapid)
  if (path.coin !== undefined && path.address !== undefined)
    path.coin = (/completed/i.test(id) ? completed?.coin : open?.coin) ?? path.coin
  const query = { ...asked.query }
  if (/completed/i.test(id) && completed) {
    if (query.startTime !== undefined) query.startTime = String(completed.openTime)
    if (query.endTime !== undefined) query.endTime = String(completed.closeTime)
  }
  return {
    ...asked,
    ...(example.path ? { path } : {}),
    ...(example.query ? { query } : {}),
  }
}

function addressFor(id: string, known: Known): string | null | undefined {
  if (/twap/i.test(id)) return known.addresses.twap
  if (/builder/i.test(id)) return known.builders[0]
  if (/completed/i.test(id)) return known.completedPositions[0]?.address
  return known.openPositions[0]?.address
}
