/**
 * `bun run soak:conform`: the conformance suite against a correct service behind a slow proxy,
 * repeatedly. Any failure there is a false positive.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { type RandomSource, randomSource } from '../../src/random/random-source.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { given, wholeNumber } from '../../src/server/commands/flag.ts'
import { minuteWindows, tokenBucket } from './rate-limit.ts'
import { ServerProcess } from './server-process.ts'
import { slowProxy } from './slow-proxy.ts'

const USAGE = `bun run soak:conform [options]

Runs the conformance suite through a plain HTTP and socket proxy that takes its time, against the
market of a server of its own, a different speed each time and every twentieth run with the control
plane (of which each exchange waits for the one before). Every tenth run may ask only so often: by
turns so many requests in each minute, and a store that fills up again. One line for each run.
Ends with code 1 when a run accuses the server of anything.

  --runs N      how many (50)
  --at-a-time N how many beside one another (1)
  --delay MS    the longest that an exchange takes; half of it each way (300)
  --allowed N   requests a minute that pass in every tenth run (900)
  --seed N      speeds and delays (1)`

const FLAGS = {
  runs: wholeNumber({ min: 1, max: 10_000 }, { about: 'how many', default: 50 }),
  atATime: wholeNumber({ min: 1, max: 16 }, { about: 'how many beside one another', default: 1 }),
  delay: wholeNumber({ min: 0, max: 10_000, unit: 'MS' }, { about: 'longest', default: 300 }),
  allowed: wholeNumber({ min: 1, max: 1_000_000 }, { about: 'a minute', default: 900 }),
  seed: wholeNumber({ min: 0, max: 2_147_483_647 }, { about: 'speeds and delays', default: 1 }),
  help: given('prints what it does'),
} as const

const PROGRAM = path.join(import.meta.dir, '..', '..', 'src', 'main.ts')
const [SLOWEST, FASTEST] = [10, 50]
const [CONTROLLED_EVERY, LIMITED_EVERY] = [20, 10]
/** One of ten runs is limited; none has both a limit and the control plane. */
const LIMITED_AT = 4

interface ProxiedReport {
  ended: string | null
  counts: { passed: number; failed: number; skipped: number }
  results: { id: string; verdict: string; message: string }[]
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`soak:conform: ${error.message}`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const flags = readFlags('soak:conform', process.argv.slice(2), FLAGS)
  if (flags.help) console.log(USAGE)
  if (flags.help) return 0
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-conform-'))
  const server = await ServerProcess.start()
  let [next, wrong] = [0, 0]
  const runner = async () => {
    while (next < flags.runs) {
      const random = randomSource(flags.seed, `run ${next}`)
      const isClean = await run(next++, server.origin, { random, flags, folder })
      if (!isClean) wrong++
    }
  }
  try {
    await Promise.all(Array.from({ length: flags.atATime }, runner))
    console.log(`${flags.runs - wrong} of ${flags.runs} runs without a failure; reports: ${folder}`)
    return wrong > 0 ? 1 : 0
  } finally {
    await server.kill()
    if (wrong === 0) rmSync(folder, { recursive: true, force: true })
  }
}

interface RunSettings {
  random: RandomSource
  /** Longest delay, ms, and requests a minute where these are limited. */
  flags: { delay: number; allowed: number }
  /** Folder of the reports of failed runs. */
  folder: string
}

/** One run, in a sandbox of its own; returns whether it passed. */
async function run(at: number, origin: string, settings: RunSettings): Promise<boolean> {
  const { random, flags, folder } = settings
  const isControlled = at % CONTROLLED_EVERY === CONTROLLED_EVERY - 1
  const speed = isControlled ? 1 : random.between(SLOWEST, FASTEST)
  const report = path.join(folder, `${at}.json`)
  const limit = limitOf(at, flags.allowed)
  const proxy = slowProxy(origin, () => random.between(0, flags.delay) / 2, limit?.limit)
  const made = isControlled ? null : await madeSandbox(origin, speed)
  const startMs = performance.now()
  try {
    const target = made ? flagsFor(made, proxy.url) : ['--control', `${proxy.url}/_control`]
    await conform([...target, '--report', `json=${report}`])
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
    const how = isControlled ? 'control' : `speed ${speed}${limit ? `, ${limit.words}` : ''}`
    const load = (loadavg()[0] ?? 0).toFixed(0)
    return await hasPassed(`run ${at}, ${how}, ${seconds} s, load ${load}`, report)
  } finally {
    proxy.stop()
    if (made) await fetch(`${origin}/_control/sandboxes/${made.id}`, { method: 'DELETE' })
  }
}

/** Rate limit of a run's proxy; undefined for none. */
function limitOf(at: number, perMinute: number) {
  if (at % LIMITED_EVERY !== LIMITED_AT) return undefined
  const isStore = at % (2 * LIMITED_EVERY) !== LIMITED_AT
  const make = isStore ? tokenBucket : minuteWindows
  return {
    words: `${perMinute} requests a minute${isStore ? ' from a store' : ''}`,
    limit: make(perMinute, hostClock.monotonicMs),
  }
}

async function madeSandbox(origin: string, speed: number): Promise<MadeSandbox> {
  const options = { method: 'POST', body: JSON.stringify({ speed }) }
  const answer = await fetch(`${origin}/_control/sandboxes`, options)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as MadeSandbox
}

/** All settings without a control plane. */
function flagsFor({ keys, inviteToken, id }: MadeSandbox, proxy: string): string[] {
  const pair = (who: keyof MadeSandbox['keys'], start: string) => [
    ...[`--${start}key`, keys[who].accessKey],
    ...[`--${start}secret`, keys[who].secretKey],
  ]
  return [
    ...['--target', `${proxy}/s/${id}`, '--invite', inviteToken],
    ...pair('full', ''),
    ...pair('partner', 'partner-'),
    ...pair('sub', 'sub-'),
    ...pair('bare', 'bare-'),
  ]
}

interface MadeSandbox {
  id: string
  inviteToken: string
  keys: Record<'full' | 'partner' | 'sub' | 'bare', { accessKey: string; secretKey: string }>
}

async function conform(flags: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, PROGRAM, 'conform', '--quiet', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await child.exited
}

async function hasPassed(name: string, file: string): Promise<boolean> {
  const { ended, counts, results } = (await Bun.file(file).json()) as ProxiedReport
  const { passed, failed, skipped } = counts
  const wrong = results.filter(({ verdict }) => verdict === 'failed')
  const moved = results.filter(({ message }) => message.includes('moved between')).length
  const words = wrong.map(({ id, message }) => `\n  ${id}: ${message}`).join('')
  console.log(
    `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${moved} moved)` +
      `${ended === null ? '' : `; ended: ${ended}`}${words}`,
  )
  return failed === 0 && ended === null
}
