import type { Case } from '../../case.ts'
import type { Probe } from '../../probe.ts'
import { isSuccess, type Row, rowOf, settled } from '../../reading.ts'
import { deleteLevel, levelWith, OWN_LEVEL, putLevel } from './level-desk.ts'

/** The arithmetic of a distributor's month (spec, Quota summary; Limits). */
export const QUOTA_CASES: readonly Case[] = [
  {
    id: 'quota.sums',
    title: 'available is the ceiling less what is allocated, remaining less what is used',
    checks: [
      ...['quota.available', 'quota.remaining', 'quota.ceiling', 'limit.totalQuota'],
      ...['distributor.subKeyCount', 'limit.subKeys'],
    ],
    needs: ['partner'],
    run: async (probe: Probe) => {
      const info = await rowOf(probe, { path: '/distributor/info', by: 'partner' })
      const quota = await quotaOf(probe)
      const { max, allocated, available, used, remaining } = quota
      probe.hold(max === Number(info.max_total_quota), 'both tell the same ceiling', info)
      probe.hold(available === max - allocated, 'available is max less allocated', quota)
      probe.hold(remaining === Math.max(max - used, 0), 'remaining is max less used', quota)
      probe.hold(allocated <= max, 'no more is allocated than there is', quota)
      const [count, most] = [Number(info.sub_key_count), Number(info.max_sub_keys)]
      probe.hold(count <= most, 'there are no more sub keys than there may be', info)
    },
  },
  {
    id: 'quota.used',
    title: 'used and remaining follow the requests of sub keys, to the request',
    checks: ['quota.used', 'quota.remaining'],
    needs: ['partner', 'sub'],
    alone: true,
    run: (probe: Probe) =>
      settled(probe, async () => {
        const before = await quotaOf(probe)
        for (let calls = 0; calls < CALLS; calls++) {
          const answer = await probe.ask({ path: '/hl/tickers', by: 'sub' })
          probe.hold(isSuccess(answer), 'the sub key may call')
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
    id: 'quota.level',
    title: 'max_request of a level is what a new sub key may ask in a month, and no more',
    checks: ['limit.level.quota', 'limit.totalQuota'],
    needs: ['partner', 'control'],
    alone: true,
    run: async (probe: Probe) => {
      const { subKey } = probe.target.control ?? {}
      if (!subKey) probe.skip('no sub key can be made')
      const before = await quotaOf(probe)
      const level = levelWith(['HL_TICKERS'], { max_request: CALLS })
      probe.hold(isSuccess(await putLevel(probe, OWN_LEVEL, level)), 'a level is made')
      try {
        const { key: by, remove } = await subKey(OWN_LEVEL)
        try {
          const { allocated } = await quotaOf(probe)
          probe.hold(allocated === before.allocated + CALLS, 'its quota is allocated', allocated)
          const answers: boolean[] = []
          for (let calls = 0; calls < CALLS + 2; calls++)
            answers.push(
              isSuccess(await probe.ask({ path: '/hl/tickers', by, mayBeTooMany: true })),
            )
          const right = answers.every((answer, at) => answer === at < CALLS)
          probe.hold(right, `${CALLS} requests are answered, and no more`, answers)
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
  const row: Row = await rowOf(probe, { path: '/distributor/quota', by: 'partner' })
  const of = (name: string) => {
    probe.hold(Number.isSafeInteger(row[name]), `${name} is a whole number`, row)
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
