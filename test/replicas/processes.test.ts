/** Replicas as processes of their own: killed at any instant, refused at the start. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { killRounds } from '../../bench/soak/kill-rounds.ts'
import { HAS_REDIS, redisServer } from '../fixtures/redis-server.ts'
import { listeningAt, serveProcesses } from '../fixtures/serve-process.ts'
import { shortTapeCast } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const ROUNDS = 6
const file = temporaryFolder()
const serve = serveProcesses(file('cache'))
beforeAll(() => shortTapeCast(file('short.tape.ndjson'), file('cache')))

test('a store that cannot be used ends the start with code 2 and a line', async () => {
  const child = serve(['--state', 'redis://me:s3cret@127.0.0.1:1/0'])
  const [code, text] = await Promise.all([child.exited, new Response(child.stderr).text()])
  expect(code).toBe(2)
  expect(text).toContain('nothing listens on redis://127.0.0.1:1/0')
  expect(text).not.toContain('s3cret')
})

test('workers without a common store are refused', async () => {
  const child = serve(['--workers', '2'])
  const [code, text] = await Promise.all([child.exited, new Response(child.stderr).text()])
  expect(code).toBe(1)
  expect(text).toContain('2 workers need a common store: give --state redis://')
})

describe.skipIf(!HAS_REDIS)('with redis-server', async () => {
  const redis = HAS_REDIS ? await redisServer() : null

  test(`killed ${ROUNDS} times, replicas have lost no acknowledged change`, async () => {
    const { things, problems } = await killRounds(
      {
        tape: file('short.tape.ndjson'),
        state: redis?.url('killed') ?? '',
        cache: file('cache'),
      },
      ROUNDS,
      1,
    )
    expect(problems).toEqual([])
    expect(things.reads).toBeGreaterThan(ROUNDS)
    for (const sort of [things.levels, things.keys, things.sandboxes, things.usedInvites])
      expect([...sort.values()]).toContain('there')
  })

  test('workers on one port are one service, and a killed one is replaced', async () => {
    const args = ['--tape', file('short.tape.ndjson'), '--state', redis?.url('workers') ?? '']
    const parent = serve([...args, '--workers', '2'])
    const origin = await listeningAt(parent)
    const call = (method: string, path: string, body?: object) =>
      fetch(`${origin}/_control/sandboxes${path}`, {
        method,
        headers: { connection: 'close' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    expect((await call('POST', '', { name: 'mine', clock: 'held' })).status).toBe(200)
    const children = () =>
      Bun.spawnSync(['pgrep', '-P', String(parent.pid)])
        .stdout.toString()
        .trim()
        .split('\n')
    const [first = ''] = children()
    process.kill(Number(first), 'SIGKILL')
    const found = () => call('GET', '/mine').then(({ status }) => status, String)
    while (children().includes(first)) await Bun.sleep(5)
    for (let at = 0; at < 10; at++) expect(await found()).toBe(200)
    while (children().length < 2) await Bun.sleep(5)
    parent.kill('SIGTERM')
    await parent.exited
    expect(await found()).not.toBe(200)
  })

  test('another process has the key that one has made', async () => {
    const args = ['--tape', file('short.tape.ndjson'), '--state', redis?.url('two') ?? '']
    const first = await listeningAt(serve(args))
    const second = await listeningAt(serve(args))
    const call = (origin: string, method: string, path: string, body?: object) =>
      fetch(`${origin}/_control/sandboxes${path}`, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const made = await call(first, 'POST', '', { name: 'mine', clock: 'held' })
    expect(made.status).toBe(200)
    const moved = await call(second, 'POST', '/mine/clock/advance', { ms: 1_000 })
    expect(moved.status).toBe(200)
    const shown = (await (await call(first, 'GET', '/mine')).json()) as { clock: object }
    expect(shown.clock).toEqual(((await moved.json()) as { clock: object }).clock)
    expect((await call(second, 'DELETE', '/mine')).status).toBe(200)
    expect((await call(first, 'GET', '/mine')).status).toBe(404)
  })
})
