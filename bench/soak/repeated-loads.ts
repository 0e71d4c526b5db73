/**
 * `bun run soak:loads --minutes 30 [--load PART]`: checks that a server's memory stays level under
 * each load of the isolation bench that repeats its largest input. Each load has a server of its
 * own, and all of them run concurrently. Prints the memory of each minute, without mapped files and
 * including swap, and exits with code 1 when one is not level after its first third.
 */
import { readFileSync } from 'node:fs'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { text, wholeNumber } from '../../src/server/commands/flag.ts'
import { ChildProcess } from '../isolation/child-process.ts'
import type { LoadOrder, LoadReport } from '../isolation/load-generator.ts'
import { REPEATED_LOADS } from '../isolation/repeated-loads.ts'
import { type Served, serve } from '../measure/processes.ts'

const FLAGS = {
  minutes: wholeNumber({ min: 1, max: 600 }, { about: 'how long', default: 30 }),
  load: text('PART', { about: 'only loads with this in their names', default: '' }),
} as const

/** Allowed growth of the last third's median over the middle one's: a share, and bytes. */
const LEVEL = { share: 1.15, bytes: 32e6 }
const SAMPLE_MS = 20_000
const PREPARING_MOST_MS = 600_000
const RUN_MOST_MS = 600_000

const { minutes, load: part } = readFlags('soak:loads', process.argv.slice(2), FLAGS)
const endMs = performance.now() + minutes * 60_000
const wanted = REPEATED_LOADS.filter(({ name }) => name.includes(part))
const results = await Promise.all(
  wanted.map(({ name }) =>
    soaked(name).catch((error: Error) => {
      console.error(error.message)
      return { name, samples: [], isLevel: false }
    }),
  ),
)
for (const { name, samples } of results) console.log(line(name, samples))
process.exit(results.every(({ isLevel }) => isLevel) ? 0 : 1)

async function soaked(name: string) {
  const server = await serve([])
  const generator = new ChildProcess<LoadOrder, LoadReport>('load-generator.ts')
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(ownBytes(server)), SAMPLE_MS)
  try {
    const prepare: LoadOrder = { order: 'prepare', load: name, port: server.port, addresses: [] }
    const prepared = await generator.ask(prepare, PREPARING_MOST_MS)
    if (prepared?.failed !== null) throw new Error(`${name}: ${prepared?.failed ?? 'no answer'}`)
    while (performance.now() < endMs) {
      const ran = await generator.ask({ order: 'run' }, RUN_MOST_MS)
      if (ran?.failed !== null) throw new Error(`${name}: ${ran?.failed ?? 'it did not end'}`)
    }
    return { name, samples, isLevel: isLevel(samples) }
  } finally {
    clearInterval(sampling)
    generator.kill()
    await server.kill()
  }
}

/** Anonymous memory, resident or swapped. */
function ownBytes({ pid }: Served): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const of = [String(pid), ...children.filter(Boolean)].map((one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8')
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return (kilobytes('RssAnon') + kilobytes('VmSwap')) * 1024
  })
  return Math.max(...of)
}

function isLevel(samples: readonly number[]): boolean {
  const third = Math.floor(samples.length / 3)
  // Not the largest: between two collections of garbage a sample says little.
  const usual = (from: number, to: number) => median(samples.slice(from, to))
  return usual(2 * third, samples.length) <= usual(third, 2 * third) * LEVEL.share + LEVEL.bytes
}

function median(of: readonly number[]): number {
  return of.toSorted((one, other) => one - other)[Math.floor(of.length / 2)] ?? 0
}

function line(name: string, samples: readonly number[]): string {
  const shown = samples.filter((_, at) => at % 3 === 2).map((bytes) => Math.round(bytes / 1e6))
  if (samples.length === 0) return `FAILED  ${name}`
  return `${isLevel(samples) ? 'level' : 'GROWS'}  ${name}: ${shown.join(' ')} MB`
}
