/** The handlers on the oldest and the newest Node and msw, and the suite on the newest. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { SUPPORTED_MSW } from '../../src/server/transport/msw/backend.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'
import { unexpected } from './exemptions.ts'
import { hasRuntimes, PAIRS, runtimes } from './runtimes.ts'

const folder = temporaryFolder()

describe.skipIf(!hasRuntimes)('msw and Node from the registry, for Linux on x64', () => {
  let run: Awaited<ReturnType<typeof runtimes>> | undefined
  beforeAll(async () => {
    run = await runtimes(folder)
  })

  test.each(PAIRS)('$runtime with $msw', async (pair) => {
    const { origin } = await serve({}, null, hostClock)
    const signed = signedQuery({ accessKey: 'demo' }, hostClock)
    const refused = signedQuery({ accessKey: 'demo-bare' }, hostClock)
    const ran = await run?.(pair, 'talk', origin, `${PREFIX}/hl`, signed, refused)
    expect(ran).toMatchObject({ code: 0, error: '' })
    const served = async (query: string) => {
      const answer = await fetch(`${origin}${PREFIX}/hl/tickers?${query}`)
      return [answer.status, answer.headers.get('content-type'), await answer.text()]
    }
    expect(JSON.parse(ran?.out ?? '')).toEqual({
      answer: await served(signed),
      refusal: await served(refused),
      socket: [
        'open',
        '{"channel":"error","data":"send text frames, not binary ones"}',
        '{"channel":"pong"}',
        'close 3001 enough',
      ],
      refusedSocket: ['error', 'close 1006 '],
    })
  })

  test('msw 3 on an unsupported Node is reported', async () => {
    const pair = { runtime: 'node-20', msw: 'msw-3' } as const
    const ran = await run?.(pair, 'talk', 'http://127.0.0.1:1', PREFIX, '', '')
    expect(ran?.error).toContain('msw 3 needs Node 22.12 or later: npm i -D msw@2.15')
  })

  test('all cases pass on the newest Node with the newest msw', async () => {
    const stopped = { ...hostClock, monotonicMs: () => 0 }
    const { registry } = await recordedRegistry({ clock: 'running' }, stopped)
    const { origin } = await serveRegistry(registry)
    const pair = { runtime: 'node-26', msw: 'msw-3' } as const
    const ran = await run?.(pair, 'suite', `${origin}/_control`)
    expect(unexpected(JSON.parse(ran?.out ?? ''))).toEqual([])
  })
})

test("the package's peer version matches the handlers' requirement", async () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = await Bun.file(
    `${PROJECT_FOLDER}/package.json`,
  ).json()
  expect(peerDependencies.msw).toBe(SUPPORTED_MSW)
  expect(peerDependenciesMeta.msw).toEqual({ optional: true })
  expect(Bun.semver.satisfies(devDependencies.msw, SUPPORTED_MSW)).toBe(true)
})
