/** Addresses and servers that cannot be the store: said at the start, and nothing is written. */
import { describe, expect, test } from 'bun:test'
import { UserError } from '../../src/platform/user-error.ts'
import { connectRedis } from '../../src/sandbox/shared-state/redis-connection.ts'
import { RedisStore } from '../../src/sandbox/shared-state/redis-store.ts'
import { readRedisUrl } from '../../src/sandbox/shared-state/redis-url.ts'
import { HAS_REDIS, type RedisServer, redisServer } from '../fixtures/redis-server.ts'
import { replicasOf } from '../fixtures/replicas.ts'

const NO_CREDENTIALS = { username: null, password: null }
const read = (url: string) => readRedisUrl(url, NO_CREDENTIALS)

test.each([
  ['redis://', 'names no host'],
  ['http://127.0.0.1:6379', 'knows no http:'],
  ['redis://127.0.0.1:6379/mine', 'must be a number'],
  ['redis://127.0.0.1:6379/0?prefx=a', 'unknown parameter "prefx"'],
  ['redis://127.0.0.1:6379/0?prefix={a}', 'letters, digits, dots and dashes'],
  ['redis://127.0.0.1:99999999', 'is no address'],
])('%s is refused', (url, why) => {
  expect(() => read(url)).toThrow(why)
  expect(() => read(url)).toThrow(UserError)
})

test('user and password come from the address or the environment, and are not shown', () => {
  const credentials = { username: 'from', password: 'environment' }
  const own = readRedisUrl('rediss://me:s%40cret@host:7000/2?prefix=team', credentials)
  expect(own).toMatchObject({ username: 'me', password: 's@cret', prefix: 'team', isTls: true })
  expect(own.shown).toBe('rediss://host:7000/2')
  expect(own.url).toBe('rediss://me:s%40cret@host:7000/2')
  const other = readRedisUrl('redis://host', credentials)
  expect(other).toMatchObject({ username: 'from', password: 'environment', port: 6379 })
  expect(other.shown).toBe('redis://host:6379/0')
})

const why = async (url: string): Promise<string> => {
  try {
    const connection = await connectRedis(read(url))
    connection.close()
    return 'connected'
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    expect(error.exitCode).toBe(2)
    return error.message
  }
}

test('where nothing listens, that is said', async () => {
  expect(await why('redis://127.0.0.1:1')).toContain('nothing listens on redis://127.0.0.1:1/0')
})

test('a server of another kind is recognised', async () => {
  const web = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') })
  expect(await why(`redis://127.0.0.1:${web.port}`)).toContain('is no Redis server')
  await web.stop(true)
})

test('an old server is recognised', async () => {
  const old = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.write("-ERR unknown command 'HELLO'\r\n") },
  })
  expect(await why(`redis://127.0.0.1:${old.port}`)).toContain('has a version before 6.2.0')
  old.stop(true)
})

describe.skipIf(!HAS_REDIS)('with redis-server', () => {
  const keys = async (redis: RedisServer) => redis.command('KEYS', '*')

  test('a refused password is said without showing it', async () => {
    const redis = await redisServer('--requirepass', 'right')
    const without = await why(`redis://127.0.0.1:${redis.port}`)
    expect(without).toContain('needs a password')
    const wrong = await why(`redis://me:wr0ng@127.0.0.1:${redis.port}`)
    expect(wrong).toContain('refuses the user and password')
    expect(wrong).not.toContain('wr0ng')
    expect(await why(`redis://:right@127.0.0.1:${redis.port}`)).toBe('connected')
  })

  test('a server that may drop keys is refused, and has none of ours', async () => {
    const redis = await redisServer('--maxmemory-policy', 'allkeys-lru')
    expect(await why(redis.url('a'))).toContain('maxmemory-policy allkeys-lru')
    expect(await keys(redis)).toEqual([])
  })

  test('a prefix of something else is refused, and left as it is', async () => {
    const redis = await redisServer()
    await redis.command('SET', 'shop:cart', '7')
    await redis.command('SET', '{club}:store', '7')
    expect(await why(redis.url('shop'))).toContain('used by something else (key shop:cart)')
    expect(await why(redis.url('club'))).toContain('used by something else (key {club}:store)')
    expect(await why(redis.url('sho'))).toBe('connected')
    expect(new Set((await keys(redis)) as string[])).toEqual(new Set(['shop:cart', '{club}:store']))
  })

  test('replicas that start at the same time become one store', async () => {
    const redis = await redisServer()
    const url = redis.url('at-once')
    const replicas = await Promise.all(Array.from({ length: 6 }, () => replicasOf(url, 1)))
    const made = await replicas[0]?.[0]?.control('sandbox.create', { name: 'mine' }, {})
    expect(made?.status).toBe(200)
    for (const [one] of replicas)
      expect((await one?.control('sandbox.get', undefined, { id: 'mine' }))?.status).toBe(200)
  })

  test('a replica that differs is refused, and says in what', async () => {
    const redis = await redisServer()
    const enter = async (program: string, world: string) => {
      const connection = await connectRedis(read(redis.url('alike')))
      try {
        await new RedisStore(connection, async () => {
          throw new Error('no market is requested')
        }).enter({ program, world })
      } finally {
        connection.close()
      }
    }
    await enter('1', 'tape/1')
    await enter('1', 'tape/1')
    await expect(enter('2', 'tape/1')).rejects.toThrow('have program 1, this one has 2')
    await expect(enter('1', 'tape/2')).rejects.toThrow('have world tape/1, this one has tape/2')
  })
})
