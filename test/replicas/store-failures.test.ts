/** A store that goes away, is emptied, goes back in time or is full. */
import { describe, expect, test } from 'bun:test'
import { notReadyReasons } from '../../src/server/control/operations/server.ts'
import { HAS_REDIS, type RedisServer, redisServer } from '../fixtures/redis-server.ts'
import { type Replica, replicasOf } from '../fixtures/replicas.ts'

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}

const tickers = (on: Replica, key = 'demo') => on.ask('GET', '/hl/tickers', key)
const putLevel = (on: Replica, level: string) =>
  on.ask('PUT', `/distributor/levels/${level}`, 'demo-partner', LEVEL)
const levels = async (on: Replica): Promise<string[]> =>
  JSON.parse((await on.ask('GET', '/distributor/levels', 'demo-partner')).body).data

/** Waits until something is true, however long that takes. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await Bun.sleep(5)
}

const isReady = ({ registry }: Replica) => notReadyReasons(registry).length === 0

describe.skipIf(!HAS_REDIS)('with redis-server', async () => {
  const started = async (prefix: string): Promise<[RedisServer, Replica, Replica]> => {
    const redis = await redisServer()
    const [a, b] = (await replicasOf(redis.url(prefix), 2)) as [Replica, Replica]
    return [redis, a, b]
  }

  test('while it does not answer, requests are refused, and then go on', async () => {
    const [redis, a] = await started('silent')
    expect((await putLevel(a, 'one')).status).toBe(200)
    redis.pause()
    const [read, change, call] = await Promise.all([
      tickers(a),
      putLevel(a, 'two'),
      a.control('clock.advance', { ms: 5 }),
    ])
    expect([read.status, change.status, call.status]).toEqual([503, 503, 503])
    expect(call.body.error).toContain('nothing was changed: the store redis://127.0.0.1')
    expect(notReadyReasons(a.registry).join()).toContain('away')
    redis.resume()
    await until(() => isReady(a))
    expect((await tickers(a)).status).toBe(200)
    expect(await levels(a)).toContain('one')
    expect(a.lines.join('\n')).toContain('is back')
  })

  test('cut connections are made again, and nothing is lost', async () => {
    const [redis, a, b] = await started('cut')
    await putLevel(a, 'one')
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await until(async () => (await putLevel(a, 'two')).status === 200)
    await until(async () => (await tickers(b)).status === 200)
    expect(await levels(b)).toEqual(await levels(a))
    expect(await levels(b)).toContain('two')
  })

  test('after it was emptied, that is said, and all begin anew without a restart', async () => {
    const [redis, a, b] = await started('emptied')
    await putLevel(a, 'one')
    await redis.kill()
    await until(() => !isReady(a) && !isReady(b))
    await redis.start()
    await until(() => isReady(a) && isReady(b))
    await until(async () => (await tickers(a)).status === 200)
    expect(await levels(a)).not.toContain('one')
    expect((await putLevel(b, 'new')).status).toBe(200)
    expect(await levels(a)).toContain('new')
    expect(a.lines.join('\n')).toContain('was emptied')
  })

  test('a store that lost writes is noticed, and no one serves two histories', async () => {
    const [redis, a, b] = await started('back')
    await putLevel(a, 'one')
    const keys = ['state', 'log', 'usage'].map((name) => `{back:default}:${name}`)
    const copy = (from: string, to: string) => redis.command('COPY', from, to, 'REPLACE')
    for (const key of keys) await copy(key, `kept:${key}`)
    await putLevel(a, 'lost')
    expect(await levels(b)).toContain('lost')
    for (const key of keys) await copy(`kept:${key}`, key)
    // Another change makes the log as long as it was.
    expect((await putLevel(b, 'two')).status).toBe(200)
    expect(await levels(a)).toEqual(await levels(b))
    expect(await levels(a)).toContain('two')
    expect(await levels(a)).not.toContain('lost')
    expect(b.lines.join('\n')).toContain('has gone back')
  })

  test('a full store refuses changes, and has them once it has room', async () => {
    const [redis, a, b] = await started('full')
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    expect((await putLevel(a, 'one')).status).toBe(503)
    const refused = await a.control('key.create', { kind: 'direct' })
    expect(refused.status).toBe(503)
    expect(refused.body.error).toContain('maxmemory')
    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    expect(await levels(a)).not.toContain('one')
    expect((await putLevel(a, 'one')).status).toBe(200)
    expect(await levels(b)).toContain('one')
  })
})
