/** Runs every example of the contract on the default recording, for the documents. */
import path from 'node:path'
import { later, type TapeMs } from '../src/clock/instant.ts'
import { filledExample, type TargetInventory } from '../src/conformance/example-filler.ts'
import { ACTIVE_ACTIONS } from '../src/contract/actions.ts'
import { OPERATIONS } from '../src/contract/catalogue.ts'
import type { ExampleAnswer } from '../src/contract/documents/example-answers.ts'
import type { Example, Operation } from '../src/contract/operation.ts'
import { operationPath } from '../src/contract/paths.ts'
import { credentials } from '../src/contract/signature.ts'
import { Registry } from '../src/sandbox/registry.ts'
import { worldProvider } from '../src/sandbox/world-provider.ts'
import { memoryTransport } from '../src/server/transport/memory/memory-transport.ts'
import { DEFAULT_TAPE } from '../src/tape/tape-name.ts'
import { ROOT } from './install.ts'
import { shortened } from './shortened-answer.ts'

/** Position in the recording: after its cascade, so that every example has data. */
const AT_MS = 16 * 60_000
/** Maximum examples per operation. */
const EXAMPLES_MAX = 2

/** By operation, in the order of its examples. The same on every machine. */
export async function exampleAnswers(): Promise<Record<string, ExampleAnswer[]>> {
  const provider = worldProvider({
    tape: DEFAULT_TAPE,
    seed: 1,
    log: () => {},
    recordings: path.join(ROOT, 'recordings'),
    cacheDir: path.join(ROOT, '.cache', 'worlds'),
  })
  const registry = new Registry(provider, ACTIVE_ACTIONS, {
    clock: 'held',
    epoch: 'tape',
    at: AT_MS,
  })
  const sandbox = await registry.open()
  const { atMs } = sandbox.position()
  const castAt = (atMs: TapeMs) =>
    sandbox.world.cast({ ...sandbox.facts().moment, atMs }) as TargetInventory
  // A new sandbox has only earlier positions.
  const { completedPositions } = castAt(later(atMs, -AT_MS))
  const inventory = { ...castAt(atMs), completedPositions }
  const transport = memoryTransport(registry)
  const recorded: Record<string, ExampleAnswer[]> = {}
  for (const operation of OPERATIONS) {
    const examples = operation.examples.slice(0, EXAMPLES_MAX)
    recorded[operation.id] = examples.map((example) => {
      const { name, path: at, query, body } = filledExample(operation, example, inventory)
      const url = urlOf(operation, {
        name,
        ...(at ? { path: at } : {}),
        ...(query ? { query } : {}),
      })
      const text = body === undefined ? '' : JSON.stringify(body)
      const answer = transport.request(operation.method, url, text)
      if (answer.status !== 200) throw new Error(`${operation.id}, ${name}: ${answer.body}`)
      return {
        name,
        ...(at ? { path: at } : {}),
        ...(query ? { query } : {}),
        ...(body === undefined ? {} : { body }),
        answer: shortened(JSON.parse(answer.body)),
      }
    })
  }
  registry.close()
  return recorded
}

function urlOf(operation: Operation, { path: given, query }: Example): string {
  const filledIn = operationPath(operation).replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(given?.[name] ?? ''),
  )
  const signature = signedBy(KEYS[operation.access.kind] ?? 'demo')
  return `${filledIn}?${new URLSearchParams({ ...query, ...signature })}`
}

/** The key where `demo` lacks permission. */
const KEYS: Record<string, string> = { distributor: 'demo-partner' }

const signedBy = (accessKey: string) =>
  credentials({
    accessKey,
    secretKey: `${accessKey}-secret`,
    nonce: 'example',
    timestampS: Math.floor(Date.now() / 1000),
  })
