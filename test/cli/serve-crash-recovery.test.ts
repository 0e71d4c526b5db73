/** `serve --state` killed while it writes, again and again: nothing acknowledged is lost. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomSource } from '../../src/random/random-source.ts'
import { Acknowledged, CrashClient, type ExpectedState } from '../fixtures/crash-client.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { shortTape } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const ROUNDS = 12
const LANES = 6
const file = temporaryFolder()
const tape = file('short.tape.ndjson')
beforeAll(() => shortTape(tape))
const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill()
})

async function start() {
  const args = ['serve', '--port', '0', '--tape', tape, '--state', file('state')]
  const child = Bun.spawn([...PROGRAM, ...args], {
    cwd: PROJECT_FOLDER,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TAPEWRIGHT_CACHE: file('cache') },
  })
  children.push(child)
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    if (output.includes('\n')) break
  }
  const origin = /^tapewright listening on (\S+)\n/.exec(output)?.[1]
  if (!origin) throw new Error(output + (await new Response(child.stderr).text()))
  return { child, origin }
}

/** Many clients at once until so many answers have come; then the server is killed. */
async function round(acknowledged: Acknowledged, turn: number): Promise<void> {
  const { child, origin } = await start()
  await compare(origin, acknowledged)
  const chance = randomSource(turn, 'killed')
  let left = chance.between(20, 160)
  const dead = () => {
    if (--left === 0) child.kill('SIGKILL')
  }
  const lane = async (number: number) => {
    const client = new CrashClient(origin, acknowledged, dead)
    const own = chance.fork(`lane ${number}`)
    for (let count = 0; left > 0; count++)
      await client.step(own, `l-${turn}-${number}-${count}`).catch((error) => {
        if (left > 0) throw error
      })
  }
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  await child.exited
}

/** What the server holds, against what was acknowledged. */
async function compare(origin: string, acknowledged: Acknowledged): Promise<void> {
  const client = new CrashClient(origin, acknowledged, () => {})
  const control = '/_control/sandboxes'
  const levels = (await client.call('GET', '/distributor/levels', 'demo-partner')).data as string[]
  const { list } = (await client.call('GET', '/signal/getSignalAlertSetList', 'demo')).data as {
    list: { subType: string }[]
  }
  const keys = (await client.fetch('GET', `${control}/default/keys`)) as unknown as {
    accessKey: string
  }[]
  const sandboxes = (await client.fetch('GET', control)) as unknown as { id: string }[]
  matches(acknowledged.levels, levels)
  matches(
    acknowledged.alerts,
    list.map(({ subType }) => subType),
  ) // prettier
  matches(
    acknowledged.keys,
    keys.map(({ accessKey }) => accessKey),
  )
  matches(
    acknowledged.sandboxes,
    sandboxes.map(({ id }) => id),
  )
  expect(keys.map(({ accessKey }) => accessKey)).toEqual(
    expect.arrayContaining(acknowledged.distributors),
  )
  const quota = (await client.call('GET', '/distributor/quota', 'demo-partner')).data as {
    used_quota: number
  }
  expect(quota.used_quota).toBeGreaterThanOrEqual(acknowledged.answered)
  expect(quota.used_quota).toBeLessThanOrEqual(acknowledged.sent)
}

function matches(things: Map<string, ExpectedState>, found: string[]): void {
  const held = new Set(found)
  expect(held.size).toBe(found.length)
  const lost = [...things].filter(([name, fate]) => fate === 'there' && !held.has(name))
  const undead = [...things].filter(([name, fate]) => fate === 'gone' && held.has(name))
  expect({ lost, undead }).toEqual({ lost: [], undead: [] })
}

test(`killed ${ROUNDS} times, it has lost nothing that it has acknowledged`, async () => {
  const acknowledged = new Acknowledged()
  for (let turn = 0; turn < ROUNDS; turn++) await round(acknowledged, turn)
  const { child, origin } = await start()
  await compare(origin, acknowledged)
  child.kill()
  expect(acknowledged.answered).toBeGreaterThan(ROUNDS)
  for (const things of [
    acknowledged.levels,
    acknowledged.alerts,
    acknowledged.keys,
    acknowledged.sandboxes,
  ])
    expect([...things.values()]).toContain('there')
})
