/** `serve --state` killed in the middle of writing, again and again: nothing told is lost. */
import { afterAll, expect, test } from 'bun:test'
import path from 'node:path'
import { dice } from '../src/random/dice.ts'
import { Client, type Fate, Told } from './killed-client.ts'
import { scratch } from './scratch.ts'

const ROOT = path.join(import.meta.dir, '..')
const ROUNDS = 12
const LANES = 6
const file = scratch()
const tape = file('short.tape.ndjson')
const program = [process.execPath, 'src/main.ts']
Bun.spawnSync([...program, 'tape', 'synth', '--seed', '7', '--minutes', '2', '--out', tape], {
  cwd: ROOT,
})
const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill()
})

async function start() {
  const args = ['serve', '--port', '0', '--tape', tape, '--state', file('state')]
  const child = Bun.spawn([...program, ...args], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TAPEWRIGHT_CACHE: file('cache') },
  })
  children.push(child)
  let said = ''
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk)
    if (said.includes('\n')) break
  }
  const origin = /^tapewright listening on (\S+)\n/.exec(said)?.[1]
  if (!origin) throw new Error(said + (await new Response(child.stderr).text()))
  return { child, origin }
}

/** Many clients at once until so many answers have come; then the server is killed. */
async function round(told: Told, turn: number): Promise<void> {
  const { child, origin } = await start()
  await compare(origin, told)
  const chance = dice(turn, 'killed')
  let left = chance.between(20, 160)
  const dead = () => {
    if (--left === 0) child.kill('SIGKILL')
  }
  const lane = async (number: number) => {
    const client = new Client(origin, told, dead)
    const own = chance.fork(`lane ${number}`)
    for (let count = 0; left > 0; count++)
      await client.step(own, `l-${turn}-${number}-${count}`).catch((error) => {
        if (left > 0) throw error
      })
  }
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  await child.exited
}

/** What the server holds against what was told. */
async function compare(origin: string, told: Told): Promise<void> {
  const client = new Client(origin, told, () => {})
  const control = '/_control/sandboxes'
  const levels = (await client.call('GET', '/distributor/levels', 'demo-partner')).data as string[]
  const { list } = (await client.call('GET', '/signal/getSignalAlertSetList', 'demo')).data as {
    list: { subType: string }[]
  }
  const keys = (await client.fetch('GET', `${control}/default/keys`)) as unknown as {
    accessKey: string
  }[]
  const sandboxes = (await client.fetch('GET', control)) as unknown as { id: string }[]
  matches(told.levels, levels)
  matches(
    told.alerts,
    list.map(({ subType }) => subType),
  ) // prettier
  matches(
    told.keys,
    keys.map(({ accessKey }) => accessKey),
  )
  matches(
    told.sandboxes,
    sandboxes.map(({ id }) => id),
  )
  expect(keys.map(({ accessKey }) => accessKey)).toEqual(expect.arrayContaining(told.distributors))
  const quota = (await client.call('GET', '/distributor/quota', 'demo-partner')).data as {
    used_quota: number
  }
  expect(quota.used_quota).toBeGreaterThanOrEqual(told.answered)
  expect(quota.used_quota).toBeLessThanOrEqual(told.sent)
}

function matches(things: Map<string, Fate>, found: string[]): void {
  const held = new Set(found)
  expect(held.size).toBe(found.length)
  const lost = [...things].filter(([name, fate]) => fate === 'there' && !held.has(name))
  const undead = [...things].filter(([name, fate]) => fate === 'gone' && held.has(name))
  expect({ lost, undead }).toEqual({ lost: [], undead: [] })
}

test(`killed ${ROUNDS} times, it has lost nothing that it has told`, async () => {
  const told = new Told()
  for (let turn = 0; turn < ROUNDS; turn++) await round(told, turn)
  const { child, origin } = await start()
  await compare(origin, told)
  child.kill()
  expect(told.answered).toBeGreaterThan(ROUNDS)
  for (const things of [told.levels, told.alerts, told.keys, told.sandboxes])
    expect([...things.values()]).toContain('there')
})
