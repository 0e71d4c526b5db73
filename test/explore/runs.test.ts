/** Programs are explored: what they get, and what is said of those that cannot be. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { createSandbox } from '../../src/index.ts'
import { programClient } from '../../src/server/explore/clients.ts'
import { Corpus } from '../../src/server/explore/corpus.ts'
import { explored } from '../../src/server/explore/exploration.ts'
import { type Plan, parsePlan } from '../../src/server/explore/plan.ts'
import { writeResult } from '../../src/server/explore/result-folder.ts'
import type { RunSettings } from '../../src/server/explore/run.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

const settings: RunSettings = {
  clock: 'held',
  speed: 1,
  quietMs: 12,
  patienceMs: 300,
  timeLimitMs: 20_000,
  without: new Set(),
  sandbox: {},
  createSandbox,
  systemClock: hostClock,
}
const options = {
  runs: 1,
  forMs: null,
  seed: 1,
  level: 'calm',
  lengthMs: 2_000,
  coins: [],
  parallel: 1,
  plan: null,
  shrinkRuns: 20,
} as const

const planOf = (...actions: string[]): Plan =>
  parsePlan('plan', `format: 1\nlength: 6s\nactions: [${actions.join(', ')}]\n`)

/** Explores a program in TypeScript that can sign. */
async function exploredProgram(
  source: string,
  plan: Plan | null = null,
  limits: Partial<RunSettings> = {},
) {
  const file = at(`client-${++files}.ts`)
  await Bun.write(file, `${SIGNING}${source}`)
  const client = programClient([process.execPath, file])
  return explored(client, { ...options, plan }, { ...settings, ...limits })
}
let files = 0

const SIGNATURE = path.join(PROJECT_FOLDER, 'src', 'contract', 'signature.ts')
const SIGNING = `import { credentials } from '${SIGNATURE}'
const { TAPEWRIGHT_BASE_URL: base, TAPEWRIGHT_ACCESS_KEY: accessKey = '' } = process.env
const { TAPEWRIGHT_SECRET_KEY: secretKey = '' } = process.env
let nonce = 0
const get = (name: string) => {
  const timestampS = Math.floor(Date.now() / 1000)
  const signed = credentials({ accessKey, secretKey, nonce: 'n' + ++nonce, timestampS })
  return fetch(base + '/api/upgrade/v2/hl/' + name + '?' + new URLSearchParams({ ...signed }))
}
`
const LOOP = `for (;;) {
  await get('tickers')
  await Bun.sleep(20)
}
`

const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => 'it was explored',
    (error: Error) => error.message,
  )

test('a program that goes on is stopped after each plan, and has survived', async () => {
  const { runs, found, calm } = await exploredProgram(LOOP)
  expect([runs, found, calm.endsItself]).toEqual([1, null, false])
  // How many it sends depends on how busy the machine is.
  expect(calm.requests).toBeGreaterThan(0)
})

test('a program that ends by itself is waited for', async () => {
  const { calm, found } = await exploredProgram(`await get('tickers')\n`)
  expect([calm.endsItself, calm.requests, found]).toEqual([true, 1, null])
})

test('a program that takes every body for JSON is found, with the smallest plan', async () => {
  const plan = planOf(
    '{at: 500ms, for: 1s, fault: repeat2}'.replace('repeat2', '{repeat: {times: 2}}'),
    "{at: 1s, for: 4s, fault: {corrupt: {as: html}}, on: {operation: '*'}}",
    '{at: 2s, jump: 10s}',
  )
  const source = LOOP.replace("await get('tickers')", "await (await get('tickers')).json()")
  const { found } = await exploredProgram(source, plan)
  expect(found?.failure.judge).toBe('exit')
  expect(found?.failure.text).toContain('it ended with code 1')
  expect(found?.plan.actions.map(({ fault }) => fault)).toEqual([{ corrupt: { as: 'html' } }])
  if (found) writeResult(at('result'), found, ['my client', 'a'])
  const text = (name: string) => Bun.file(at(`result/${name}`)).text()
  expect(parsePlan('plan.yaml', await text('plan.yaml')).actions.length).toBe(1)
  expect(await text('scenario.yaml')).toContain('corrupt')
  expect(await text('replay.sh')).toContain(`--plan "$here/plan.yaml" -- 'my client' a`)
  expect(await text('timeline.html')).toContain('<svg')
  expect((await text('journal.ndjson')).trim().split('\n').length).toBeGreaterThan(1)
})

test('claims on standard output are judged', async () => {
  const claim = { kind: 'subscribed', subscriptions: [{ channel: 'bbo', coin: 'BTC' }] }
  const source = `await get('tickers')\nconsole.log('${JSON.stringify({ claim })}')\n`
  expect(await messageOf(exploredProgram(source))).toContain(
    'fails without any trouble, so nothing can be found: claim.subscribed',
  )
  const wrong = source.replace('subscribed', 'subscribd')
  expect(await messageOf(exploredProgram(wrong))).toContain('a claim that cannot be judged')
})

test('programs that cannot be explored are named with the reason', async () => {
  const missing = explored(programClient(['no-such-program']), options, settings)
  expect(await messageOf(missing)).toContain('no-such-program: it cannot be run')
  expect(await messageOf(exploredProgram(''))).toContain('ended at once, without a request')
  expect(await messageOf(exploredProgram('process.exit(3)'))).toContain('ended with code 3')
  expect(await messageOf(exploredProgram(`await get('tickers')\nprocess.exit(4)\n`))).toContain(
    'fails without any trouble, so nothing can be found: exit',
  )
})

test('a program that hangs, or never connects, is named too', async () => {
  const short = { timeLimitMs: 3_000 }
  const deaf = `process.on('SIGTERM', () => {})\n${LOOP}`
  expect(await messageOf(exploredProgram(deaf, null, short))).toContain('hangs: it did not end')
  const idle = 'for (;;) await Bun.sleep(50)\n'
  expect(await messageOf(exploredProgram(idle, null, short))).toContain(
    'has sent no request and opened no socket within 3 s',
  )
})

test('a plan for another market is refused with what would fit', async () => {
  const plan = planOf('{at: 1s, market: {kind: halt, coin: BTX, forS: 5}}')
  expect(await messageOf(exploredProgram(LOOP, plan))).toContain('the plan does not fit the market')
})

test('a corpus goes on after its last seed, and coverage is of all runs', async () => {
  const file = at('loop.ts')
  await Bun.write(file, `${SIGNING}${LOOP}`)
  const client = programClient([process.execPath, file])
  const seeds: (number | undefined)[] = []
  const explore = (runs: number) =>
    explored(
      client,
      {
        ...options,
        runs,
        corpus: Corpus.open(at('corpus.json')),
        onRun: ({ plan }) => void seeds.push(plan.seed),
      },
      {
        ...settings,
        without: new Set(['pace', 'refused-again', 'exit', 'hang']),
        sandbox: { coverage: at('explored.json') },
      },
    )
  await explore(2)
  await explore(1)
  expect(seeds).toEqual([1, 2, 3])
  const { runs, nextSeed } = Corpus.open(at('corpus.json'))
  expect([runs, nextSeed]).toEqual([5, 4])
  const { runs: sandboxes, points } = await Bun.file(at('explored.json')).json()
  // Each exploration has a calm run too.
  expect(sandboxes).toBe(5)
  expect(points['operation:perpdex.tickers'].met).toBeGreaterThan(5)
  expect(Object.keys(points).filter((id) => id.startsWith('scenario:'))).toEqual([])
})
