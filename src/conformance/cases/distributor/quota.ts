import { assertSuccess } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { isSuccess, objectOf, retryUntilHeld } from '../../response-reading.ts'
import { deleteLevel, levelWith, OWN_LEVEL, putLevel } from './level-requests.ts'

/** The arithmetic of a distributor's month (the service's documentation, Quota summary; Limits). */
export const QUOTA_CASES: readonly Case[] = [
  {
    id: 'distributor.quota.sums',
    title: 'available is the ceiling less what is allocated, remaining less what is used',
    checks: [
      ...['quota.available', 'quota.remaining', 'quota.ceiling', 'limit.totalQuota'],
      ...['distributor.subKeyCount', 'limit.subKeys'],
    ],
    needs: ['partner'],
    run: async (probe: Probe) => {
      const info = await objectOf(probe, { path: '/distributor/info', signedBy: 'partner' })
      const quota = await quotaOf(probe)
      const { max, allocated, available, used, remaining } = quota
      probe.assert(max === Number(info.max_total_quota), 'both tell the same ceiling', info)
      probe.assert(available === max - allocated, 'available is max less allocated', quota)
      probe.assert(remaining === Math.max(max - used, 0), 'remaining is max less used', quota)
      probe.assert(allocated <= max, 'no more is allocated than there is', quota)
      const [count, most] = [Number(info.sub_key_count), Number(info.max_sub_keys)]
      probe.assert(count <= most, 'there are no more sub keys than there may be', info)
    },
  },
  {
    id: 'distributor.quota.used',
    title: 'used and remaining follow the requests of sub keys, to the request',
    checks: ['quota.used', 'quota.remaining'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const before = await quotaOf(probe)
        for (let calls = 0; calls < CALLS; calls++) {
          const answer = await probe.request({ path: '/hl/tickers', signedBy: 'sub' })
          assertSuccess(probe, answer, 'the sub key may call')
        }
        // Calls of the distributor itself are not counted.
        await quotaOf(probe)
        const after = await quotaOf(probe)
        const isRight =
          after.used - before.used === CALLS && before.remaining - after.remaining === CALLS
        return isRight ? null : `${CALLS} requests of a sub key count as ${CALLS}`
      }),
  },
  {
    id: 'distributor.quota.level',
    title: 'max_request of a level is what a new sub key may ask in a month, and no more',
    checks: ['limit.level.quota', 'limit.totalQuota'],
    needs: ['partner', 'control'],
    exclusive: true,
    run: async (probe: Probe) => {
      const { subKey } = probe.target.control ?? {}
      if (!subKey) probe.skip('no sub key can be made')
      const before = await quotaOf(probe)
      const level = levelWith(['HL_TICKERS'], { max_request: CALLS })
      assertSuccess(probe, await putLevel(probe, OWN_LEVEL, level), 'a level is made')
      try {
        const { key, remove } = await subKey(OWN_LEVEL)
        try {
          const { allocated } = await quotaOf(probe)
          probe.assert(allocated === before.allocated + CALLS, 'its quota is allocated', allocated)
          const answers: boolean[] = []
          for (let calls = 0; calls < CALLS + 2; calls++)
            answers.push(
              isSuccess(
                await probe.request({ path: '/hl/tickers', signedBy: key, allowRateLimit: true }),
              ),
            )
          const right = answers.every((answer, at) => answer === at < CALLS)
          probe.assert(right, `${CALLS} requests are answered, and no more`, answers)
        } finally {
          await remove()
        }
      } finally {
        await deleteLevel(probe, OWN_LEVEL)
      }
    },
  },
]

const CALLS = 3

async function quotaOf(probe: Probe) {
  const row: JsonObject = await objectOf(probe, { path: '/distributor/quota', signedBy: 'partner' })
  const of = (name: string) => {
    probe.assert(Number.isSafeInteger(row[name]), `${name} is a whole number`, row)
    return row[name] as number
  }
  return {
    max: of('max_total_quota'),
    allocated: of('allocated_quota'),
    available: of('available_quota'),
    used: of('used_quota'),
    remaining: of('remaining_quota'),
  }
}
