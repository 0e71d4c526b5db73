/** Random clients over three replicas see what one process would have shown. */
import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../src/contract/refusal.ts'
import { meter } from '../../src/sandbox/authorization.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { SharedChanges } from '../../src/sandbox/sandbox-store.ts'
import { HAS_REDIS, redisServer } from '../fixtures/redis-server.ts'
import { type Call, flawsOf, history, QUOTA } from '../fixtures/replica-histories.ts'
import { openRedisStore, type Replica, replicaOf, replicasOf } from '../fixtures/replicas.ts'

const ROUNDS = 200

describe.skipIf(!HAS_REDIS)('with redis-server', async () => {
  const redis = HAS_REDIS ? await redisServer() : null
  let count = 0
  const three = () => replicasOf(redis?.url(`h${++count}`) ?? '', 3)
  const close = (replicas: readonly Replica[]) => {
    for (const { registry, store } of replicas) {
      registry.close()
      store?.close()
    }
  }

  test(`${ROUNDS} histories are those of one process`, async () => {
    const seen = { reads: 0, refused: 0, registered: 0 }
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const replicas = await three()
      const calls = await history(seed, replicas)
      expect([seed, flawsOf(calls)]).toEqual([seed, []])
      expect(calls.filter(({ status }) => status === 503)).toEqual([])
      seen.reads += calls.filter(({ kind, status }) => kind === 'read' && status === 200).length
      seen.refused += calls.filter(({ kind, status }) => kind === 'read' && status !== 200).length
      seen.registered += calls.filter((one) => one.kind === 'register' && one.status === 200).length
      close(replicas)
    }
    expect(seen.reads).toBeGreaterThan(ROUNDS * QUOTA * 0.8)
    expect(seen.refused).toBeGreaterThan(ROUNDS / 4)
    expect(seen.registered).toBeGreaterThan(ROUNDS * 0.8)
  })

  test('so are those with cut connections and replicas that are killed', async () => {
    let killed = 0
    for (let seed = 1; seed <= 40; seed++) {
      const replicas = await three()
      const url = redis?.url(`h${count}`) ?? ''
      let last: Promise<unknown> = Promise.resolve()
      const disturb = async (draw: number) => {
        const at = draw % 3
        if (draw % 2 === 0)
          return redis?.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
        replicas[at]?.store?.close()
        killed++
        replicas[at] = await replicaOf(await openRedisStore(url))
      }
      // A replica that joins while connections are cut would have to be started again.
      const calls = await history(seed, replicas, async (draw) => {
        last = last.then(() => disturb(draw))
        await last
      })
      expect([seed, flawsOf(calls)]).toEqual([seed, []])
      close(replicas)
    }
    expect(killed).toBeGreaterThan(10)
  })

  /** Rounds until a planted fault is found; 0 where it never is. */
  async function roundsUntilFound(plant: (sandbox: Sandbox) => void): Promise<number> {
    for (let seed = 1; seed <= 20; seed++) {
      const replicas = await three()
      for (const { registry } of replicas) plant(registry.get('default') as Sandbox)
      const flaws = flawsOf(await history(seed, replicas))
      close(replicas)
      if (flaws.length > 0) return seed
    }
    return 0
  }

  test('a quota that is counted by each replica is found', async () => {
    const found = await roundsUntilFound((sandbox) => {
      const { shared } = sandbox as { shared: SharedChanges }
      shared.admitEarly = async () => undefined
      shared.admit = function* (authorize, isExclusive) {
        if (!isExclusive) yield* shared.catchUp()
        const caller = authorize()
        const overLimit = caller && !isRefusal(caller) ? meter(sandbox, caller) : null
        return { caller, overLimit, by: shared }
      }
    })
    expect(found).toBeGreaterThan(0)
  })

  test('a level that is kept from before is found', async () => {
    const found = await roundsUntilFound((sandbox) => {
      const { shared } = sandbox as { shared: SharedChanges }
      shared.admitEarly = async () => undefined
      // biome-ignore lint/correctness/useYield: it asks for nothing.
      shared.admit = function* (authorize) {
        return { caller: authorize(), overLimit: null, by: shared }
      }
    })
    expect(found).toBeGreaterThan(0)
  })
})

test('the check of a history finds what no process answers', () => {
  const call = (kind: Call['kind'], sentAt: number, status: number, gives?: boolean): Call => ({
    ...{ kind, replica: 0, sentAt, answeredAt: sentAt + 1, status },
    ...(gives === undefined ? {} : { gives }),
  })
  expect(flawsOf([call('register', 1, 200), call('register', 3, 200)])).toHaveLength(1)
  expect(flawsOf([call('register', 1, 400), call('register', 3, 200)]).length).toBeGreaterThan(0)
  expect(flawsOf([call('register', 1, 200), call('register', 3, 400)])).toEqual([])
  const grant = call('grant', 1, 200, true)
  expect(flawsOf([grant, call('granted', 3, 403)])).toHaveLength(1)
  expect(flawsOf([grant, call('granted', 3, 200)])).toEqual([])
})
