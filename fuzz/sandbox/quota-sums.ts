import type { Sandbox } from '../../src/sandbox/sandbox.ts'

/**
 * For each distributor how far its sum is from what its sub keys have used. Nothing but a key that
 * is deleted may change that; what such a key has used stays used.
 */
export function quotaGaps({ tenancy, clock }: Sandbox): string {
  const nowMs = clock.nowMs()
  return [...tenancy.distributors.values()]
    .map((distributor) => {
      const used = tenancy
        .subKeys(distributor)
        .reduce((sum, { accessKey }) => sum + tenancy.usage.inMonth(accessKey, nowMs), 0)
      return `${distributor.accessKey} ${tenancy.usedBy(distributor, nowMs) - used}`
    })
    .join(', ')
}
