/** Rounds of churn against a server, with a sample of its process after each. */
import { hostClock } from '../../src/clock/system-clock.ts'
import { type RandomSource, randomSource } from '../../src/random/random-source.ts'
import { signedQuery } from '../../test/fixtures/signed-query.ts'
import { churn } from './churn.ts'
import { ChurnClient } from './churn-client.ts'
import { usageOf } from './process-usage.ts'
import type { ServerProcess } from './server-process.ts'

/** The server at rest: everything of the round is dropped again. */
export interface Sample {
  minute: number
  residentMb: number
  heapMb: number
  /** Live objects of the runtime. */
  objects: number
  handles: number
  /** The 90th percentile of an independent client's reads during the round. */
  latencyMs: number
  sandboxes: number
  connections: number
}

/** Concurrent actions. */
const LANES = 4
const PROBE_MS = 20

export class Soaking {
  readonly samples: Sample[] = []
  private readonly client: ChurnClient
  private readonly startMs = performance.now()
  private readonly latenciesMs: number[] = []

  constructor(private readonly server: ServerProcess) {
    this.client = new ChurnClient(server.origin)
  }

  get counts(): ChurnClient['counts'] {
    return this.client.counts
  }

  /** So many actions, drawn from the seed; then everything is dropped and a sample taken. */
  async round(seed: number | string, acts: number): Promise<Sample> {
    const random = randomSource(seed, 'soak')
    let left = acts
    const lane = async (own: RandomSource) => {
      while (left-- > 0) await churn(this.client, own)
    }
    const probing = this.probe(() => left > 0)
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(random.fork(`${number}`))))
    await probing
    for (const sandbox of [...this.client.sandboxes.values()]) await this.client.drop(sandbox)
    const sample = await this.atRest()
    if (this.server.trouble) throw new Error(this.server.trouble)
    this.samples.push(sample)
    return sample
  }

  /** Reads the default sandbox during the churn. */
  private async probe(goesOn: () => boolean): Promise<void> {
    this.latenciesMs.length = 0
    while (goesOn()) {
      const signature = signedQuery({ accessKey: 'demo' }, hostClock)
      const sentMs = performance.now()
      const answer = await fetch(`${this.server.origin}/api/upgrade/v2/hl/tickers?${signature}`)
      await answer.text()
      if (!answer.ok) throw new Error(`the default sandbox was answered ${answer.status}`)
      this.latenciesMs.push(performance.now() - sentMs)
      await Bun.sleep(PROBE_MS)
    }
  }

  private async atRest(): Promise<Sample> {
    const list = await fetch(`${this.server.origin}/_control/sandboxes`)
    const sandboxes = (await list.json()) as { counts: { connections: number } }[]
    await this.server.heap()
    // Connections end and free their memory one turn of the server later.
    await Bun.sleep(SETTLING_MS)
    const { heapBytes, objects } = await this.server.heap()
    const sorted = this.latenciesMs.toSorted((a, b) => a - b)
    return {
      minute: (performance.now() - this.startMs) / 60_000,
      ...usageOf(this.server.pid),
      heapMb: heapBytes / 2 ** 20,
      objects,
      latencyMs: sorted[Math.floor(sorted.length * 0.9)] ?? 0,
      sandboxes: sandboxes.length,
      connections: sandboxes.reduce((sum, { counts }) => sum + counts.connections, 0),
    }
  }
}

const SETTLING_MS = 200
