/** The default recording, cast, for benchmarks within one process. */
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { fileDigest } from '../../src/tape/compression.ts'
import { DEFAULT_TAPE } from '../../src/tape/tape-name.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { openCast } from '../../test/fixtures/cast-world.ts'

const HOME = path.join(import.meta.dir, '..', '..')
const recordings = path.join(HOME, 'recordings')
const cacheDir = path.join(HOME, '.cache', 'worlds')
const log = () => {}

/** A registry with its default sandbox open, its world, and an address with so many fills. */
export async function benchMarket(fills: number, options: SandboxOptions = {}) {
  const provider = worldProvider({ tape: DEFAULT_TAPE, seed: 1, recordings, cacheDir, log })
  const registry = new Registry(provider, ACTIVE_ACTIONS, { metering: 'off', ...options })
  const sandbox = await registry.open()
  // It is cast by now, and opened a second time for access outside of the sandbox.
  const tape = await openTape(path.join(recordings, 'default.tape.ndjson.zst'))
  const world = await openCast({ ...tape, digest: await fileDigest(tape.path) }, cacheDir)
  const { fills: facet } = sandbox.facts()
  const address = tradersOf(world)
    .list.map((one) => one.address)
    .find((one) => facet.ofAddress(one, { limit: fills }).length === fills)
  if (address === undefined) throw new Error(`no account has ${fills} fills`)
  return { registry, sandbox, world, address }
}
