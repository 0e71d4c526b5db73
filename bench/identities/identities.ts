/**
 * `bun run identities`: checks every identity for addresses that are drawn from trades and
 * liquidations, in many markets, and for their coins.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MOOD_NAMES } from '../../src/market/synth/mood.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { randomSource } from '../../src/random/random-source.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { given, number, text } from '../../src/server/commands/flag.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { DEFAULT_TAPE } from '../../src/tape/tape-name.ts'
import { type ControlAnswer, controlCaller } from '../../test/fixtures/control-caller.ts'
import { registryOn } from '../../test/fixtures/default-recording.ts'
import { drawnAddresses, flawsOf, flawsOfCoin } from '../../test/fixtures/reconciled.ts'

const USAGE = `bun run identities [options]

Draws addresses from trades and liquidations, crowd and liquidated accounts above all, and checks
every identity of each, in the worlds of some seeds: along the tape, in each mood, after a listing,
a halt, a cascade and a fall, days later, and on real recordings. Ends with code 1 when one fails.

  --addresses N   how many are drawn in all (3000)
  --seeds LIST    seeds of the worlds (1,2,3)
  --only TEXT     only the markets whose name begins so: the tape, crash, listing, …
  --days N        how much later the last market of the first seed is (3); 0 leaves it out
  --tapes FOLDER  real recordings (the folder that TAPEWRIGHT_TEST_TAPES names)`

const FLAGS = {
  addresses: number(1, 1_000_000, { about: 'how many are drawn in all', default: 3000 }),
  seeds: text('LIST', { about: 'seeds of the worlds', default: '1,2,3' }),
  only: text('TEXT', { about: 'only the markets whose name begins so', default: '' }),
  days: number(0, 31, { about: 'how much later the last market of the first seed is', default: 3 }),
  tapes: text('FOLDER', { about: 'real recordings' }),
  help: given('prints what it does'),
} as const

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const EVENTS: readonly Record<string, unknown>[] = [
  { kind: 'listing', coin: 'NOVA' },
  { kind: 'halt', coin: 'BTC', forS: 120 },
  { kind: 'liquidations', coin: 'BTC', side: 'long', usd: 30_000_000 },
  { kind: 'move', coin: 'SOL', pct: -12, overS: 180 },
]

/** So many addresses are shown of a market, and what fails of each. */
const [SUBJECTS_SHOWN, FLAWS_SHOWN] = [12, 6]

const RECORDINGS = ['venue-native/btcusd_20250126.gz', 'usdm/usdm_btcusdt_20240808.gz']

/** A market in which addresses are drawn. */
interface Situation {
  name: string
  tape: string
  seed: number
  options: SandboxOptions
  event?: Record<string, unknown>
  /** Addresses are drawn after each of these. */
  steps: readonly number[]
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`identities: ${error.message}`)
  process.exitCode = 1
}
// What a world reads ahead would go on for a while.
process.exit()

async function main(): Promise<void> {
  const flags = readFlags('identities', process.argv.slice(2), FLAGS)
  if (flags.help) return console.log(USAGE)
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-identities-'))
  try {
    const seeds = seedsOf(flags.seeds)
    const situations = [
      // The market of days costs more than all others: one seed has it.
      ...seeds.flatMap((seed, at) => situationsOf(seed, at === 0 ? flags.days : 0)),
      ...(await recordedSituations(flags.tapes ?? process.env.TAPEWRIGHT_TEST_TAPES, folder)),
    ]
    const chosen = situations.filter(({ name }) => name.startsWith(flags.only))
    await checkAll(chosen, flags.addresses)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function seedsOf(list: string): number[] {
  const seeds = list.split(',').map(Number)
  if (seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)) return seeds
  throw new UserError(`--seeds must be whole numbers with commas between them, not "${list}"`)
}

function situationsOf(seed: number, days: number): Situation[] {
  const of = { tape: DEFAULT_TAPE, seed, options: {} }
  const afterTape = [22 * MINUTE_MS, 12 * MINUTE_MS]
  return [
    { ...of, name: 'the tape', steps: [0, 25_123, 10 * MINUTE_MS, 9 * MINUTE_MS] },
    ...MOOD_NAMES.map((mood) => ({ ...of, name: mood, options: { mood }, steps: afterTape })),
    ...EVENTS.map((event) => ({
      ...of,
      name: `${event.kind}`,
      event,
      steps: Array.from({ length: 6 }, () => MINUTE_MS),
    })),
    ...(days > 0 ? [{ ...of, name: `${days} days later`, steps: [days * DAY_MS, 70_007] }] : []),
  ]
}

async function recordedSituations(folder: string | undefined, out: string): Promise<Situation[]> {
  const found = RECORDINGS.map((file) => path.join(folder ?? '', file)).filter(
    (file) => folder !== undefined && existsSync(file),
  )
  const situations: Situation[] = []
  for (const [at, file] of found.entries()) {
    const tape = path.join(out, `${at}.tape.ndjson`)
    await importTape([file], tape)
    const steps = [0, 20_000, MINUTE_MS, 20 * MINUTE_MS]
    situations.push({ name: path.basename(file), tape, seed: 1, options: {}, steps })
  }
  return situations
}

async function checkAll(situations: readonly Situation[], addresses: number): Promise<void> {
  const random = randomSource('1', 'identities')
  let [drawn, failed] = [0, 0]
  for (const [at, situation] of situations.entries()) {
    // What earlier markets were too small for is drawn in later ones.
    const own = Math.ceil((addresses - drawn) / (situations.length - at))
    const { count, flaws } = await checked(situation, own, random)
    drawn += count
    // The subject stands after "of", without its colon.
    const wrong = Map.groupBy(flaws, (flaw) => /^\S+ of (\S+): /.exec(flaw)?.[1])
    failed += wrong.size
    const where = `seed ${situation.seed}, ${situation.name}`
    console.log(`${where}: ${count} addresses, ${wrong.size} of them or their coins fail`)
    for (const own of [...wrong.values()].slice(0, SUBJECTS_SHOWN))
      for (const flaw of own.slice(0, FLAWS_SHOWN)) console.log(`  ${flaw}`)
  }
  console.log(`${failed} of ${drawn} drawn addresses fail an identity`)
  if (failed > 0) process.exitCode = 1
}

/** What does not hold in a market, of so many addresses at all of its steps together. */
async function checked(
  { tape, seed, options, event, steps }: Situation,
  addresses: number,
  random: ReturnType<typeof randomSource>,
) {
  const { registry } = await registryOn(tape, seed)
  const call = controlCaller(registry)
  const sandbox = await registry.create({ name: 'drawn', clock: 'held', ...options })
  const params = { id: sandbox.id }
  if (event) succeeded(await call('market.trigger', { params, body: event }))
  const flaws: string[] = []
  let count = 0
  for (const [at, ms] of steps.entries()) {
    if (ms > 0) succeeded(await call('clock.advance', { params, body: { ms, force: true } }))
    const facts = sandbox.facts()
    const coins = facts.market.tickers().map(({ coin }) => coin)
    const each = Math.ceil((addresses - count) / (steps.length - at))
    const drawn = drawnAddresses(facts, coins, random, Math.ceil(each / 2))
    count += drawn.length
    for (const address of drawn) flaws.push(...flawsOf(facts, address))
    flaws.push(...flawsOfCoin(facts, random.pick(coins)))
    if (typeof event?.coin === 'string') flaws.push(...flawsOfCoin(facts, event.coin))
  }
  registry.close()
  return { count, flaws }
}

function succeeded({ status, body }: ControlAnswer): void {
  if (status !== 200) throw new UserError(`the market refuses: ${JSON.stringify(body)}`)
}
