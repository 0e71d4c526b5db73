/**
 * `bun run soak:market`: a market that continues for days at high speed, with open sockets and a
 * reader, and the server's memory and disk after each of its hours.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { given, number } from '../../src/server/commands/flag.ts'
import { ChurnClient, type ChurnedSandbox } from './churn-client.ts'
import { usageOf } from './process-usage.ts'
import { ServerProcess } from './server-process.ts'
import { ShownRecorder } from './shown-recorder.ts'
import { type Trend, trendOf } from './trend.ts'

const USAGE = `bun run soak:market [options]

Lets the market of a server of its own go on, and says after each hour of it what memory and disk
it takes. What each hour showed is kept and requested again. Ends with code 1 when any of it has
changed, or when memory or the disk grow by more than is stated for an hour.

  --days N    how long, in days of the market (7)
  --speed N   how fast (200); slower where growth is`

const FLAGS = {
  days: number(0.05, 31, { about: 'how long, in days of the market', default: 7 }),
  speed: number(1, 100_000, { about: 'how fast', default: 200 }),
  help: given('prints what it does'),
} as const

const HOUR_MS = 3_600_000
/** Limit of docs/world.md for an hour of the default world. */
const HOUR_MOST_MB = 12
/** Excluded first hours, which fill caches. */
const FIRST_HOURS = 6
/** The same for memory: trader histories, up to their cache limit of 32 MB. */
const HEAP_HOUR_MOST_MB = 0.15
const OWN_HOUR_MOST_MB = 1
const RULES = { own: { share: 0.1, amount: 40 }, heap: { share: 0.1, amount: 20 } }
/** Candles of the last minutes are not closed yet. */
const MARGIN_MS = 600_000
const READS = ['/hl/tickers', '/hl/whales/open-positions', '/hl/orderbooks/history-summaries/BTC']
const CHANNELS = ['trades', 'l2Book', 'bbo'].flatMap((type) =>
  ['BTC', 'ETH', 'SOL'].map((coin) => ({ method: 'subscribe', subscription: { type, coin } })),
)

interface MarketHour {
  hour: number
  /** Memory of the server without the market's mapped file. */
  ownMb: number
  residentMb: number
  heapMb: number
  diskMb: number
  /** Slowest read. */
  slowestMs: number
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`soak:market: ${error.message}`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const flags = readFlags('soak:market', process.argv.slice(2), FLAGS)
  if (flags.help) console.log(USAGE)
  if (flags.help) return 0
  const cache = mkdtempSync(path.join(tmpdir(), 'tapewright-market-'))
  const server = await ServerProcess.start([], { TAPEWRIGHT_CACHE: cache })
  try {
    const client = new ChurnClient(server.origin)
    await client.make({ name: 'market-days', speed: flags.speed })
    const [sandbox] = client.sandboxes.values()
    if (!sandbox) throw new UserError('no sandbox was made')
    for (let socket = 0; socket < 3; socket++) await client.connect(sandbox, '/hl/ws', CHANNELS)
    const recorder = await ShownRecorder.begin(client, sandbox)
    const samples = await watch(server, client, sandbox, {
      cache,
      hours: 24 * flags.days,
      recorder,
    })
    await recorder.checkAll()
    return verdict(samples, recorder)
  } finally {
    await server.kill()
    rmSync(cache, { recursive: true, force: true })
  }
}

/** A sample after each hour of the market. */
async function watch(
  server: ServerProcess,
  client: ChurnClient,
  sandbox: ChurnedSandbox,
  { cache, hours, recorder }: { cache: string; hours: number; recorder: ShownRecorder },
): Promise<MarketHour[]> {
  const samples: MarketHour[] = []
  const { at: fromMs, shown } = await market(client, sandbox)
  let notedMs = shown
  let [slowestMs, reported] = [0, 0]
  while (samples.length < hours) {
    for (const read of READS) {
      const sentMs = hostClock.nowMs()
      await client.read(sandbox, read)
      slowestMs = Math.max(slowestMs, Math.round(hostClock.nowMs() - sentMs))
    }
    await Bun.sleep(500)
    if (server.trouble) throw new Error(server.trouble)
    // A socket without messages for a minute is closed.
    for (const socket of sandbox.sockets) socket.send('{"method":"ping"}')
    const here = await market(client, sandbox)
    const hour = Math.floor((here.at - fromMs) / HOUR_MS)
    if (hour <= (samples.at(-1)?.hour ?? 0)) continue
    const heapMb = (await server.heap()).heapBytes / 2 ** 20
    const { ownMb, residentMb } = usageOf(server.pid)
    const sample = { hour, ownMb, residentMb, heapMb, diskMb: diskMb(cache), slowestMs }
    samples.push(sample)
    await recorder.note(notedMs, here.shown - MARGIN_MS)
    notedMs = here.shown
    for (const difference of recorder.differences.slice(reported)) console.log(difference)
    reported = recorder.differences.length
    slowestMs = 0
    console.log(textOf(sample))
    if (hour >= hours) break
  }
  return samples
}

/** Its position, in tape time and shown time. */
async function market(client: ChurnClient, { id }: ChurnedSandbox) {
  const { playhead } = await client.control('GET', `/sandboxes/${id}`)
  return playhead as { at: number; shown: number }
}

/** Files of the continued markets. */
function diskMb(cache: string): number {
  const names = readdirSync(cache, { recursive: true, encoding: 'utf8' })
  const grown = names.filter((name) => path.basename(name).startsWith('grown-'))
  return grown.reduce((sum, name) => sum + statSync(path.join(cache, name)).size, 0) / 1e6
}

function textOf({ hour, ownMb, residentMb, heapMb, diskMb, slowestMs }: MarketHour): string {
  const figures = [
    `own ${ownMb.toFixed(0)}`,
    `resident ${residentMb.toFixed(0)}`,
    `heap ${heapMb.toFixed(0)}`,
  ]
  const memory = `${figures.join(', ')} MB`
  return `hour ${hour}: ${memory}, disk ${diskMb.toFixed(0)} MB, reads up to ${slowestMs} ms`
}

function verdict(samples: readonly MarketHour[], recorder: ShownRecorder): number {
  const later = samples.filter(({ hour }) => hour >= FIRST_HOURS)
  const trend = (of: 'ownMb' | 'heapMb', rule: (typeof RULES)['heap']): Trend =>
    trendOf(
      later.map((sample) => ({ minute: sample.hour, value: sample[of] })),
      rule,
    )
  const [own, heap] = [trend('ownMb', RULES.own), trend('heapMb', RULES.heap)]
  const [first, last] = [later[0], later.at(-1)]
  const hours = first && last ? last.hour - first.hour : 0
  const hourMb = first && last && hours > 0 ? (last.diskMb - first.diskMb) / hours : 0
  console.log(
    `an hour of the market: heap ${heap.slope.toFixed(2)} MB, ${HEAP_HOUR_MOST_MB} at most; ` +
      `memory of its own ${own.slope.toFixed(2)} MB, ${OWN_HOUR_MOST_MB} at most; ` +
      `disk ${hourMb.toFixed(1)} MB, ${HOUR_MOST_MB} at most`,
  )
  console.log(recorder.text)
  const isWithin =
    (heap.verdict !== 'grows' || heap.slope <= HEAP_HOUR_MOST_MB) &&
    (own.verdict !== 'grows' || own.slope <= OWN_HOUR_MOST_MB) &&
    hourMb <= HOUR_MOST_MB
  return isWithin && recorder.differences.length === 0 ? 0 : 1
}
