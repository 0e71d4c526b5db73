import type { Sandbox } from '../../../src/sandbox/sandbox.ts'

/**
 * Difference between each distributor's sum and the usage of its sub keys. Only a deleted key may
 * change it, as its usage stays counted.
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
