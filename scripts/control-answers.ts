/** Runs every example of the control plane on the default recording, for its document. */
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../src/contract/actions.ts'
import { Registry } from '../src/sandbox/registry.ts'
import type { Sandbox } from '../src/sandbox/sandbox.ts'
import { scenarioLibrary } from '../src/sandbox/scenario/scenario-library.ts'
import { worldProvider } from '../src/sandbox/world-provider.ts'
import { type ControlOperation, routeOf } from '../src/server/control/control-operation.ts'
import {
  type ControlAnswer,
  type ControlExampleRequest,
  exampleRequests,
} from '../src/server/control/openapi.ts'
import { CONTROL_OPERATIONS } from '../src/server/control/operations.ts'
import { DEFAULT_TAPE } from '../src/tape/tape-name.ts'
import { ROOT } from './install.ts'
import { shortened } from './shortened-answer.ts'

/** Machine-dependent responses, and those without JSON. */
const NOT_SHOWN = new Set([
  'conformance.start',
  'health',
  'metrics',
  'snapshot.get',
  'snapshot.put',
])

/** By call, in the order of its examples. The same on every machine. */
export async function controlAnswers(): Promise<Record<string, ControlAnswer[]>> {
  const answers: Record<string, ControlAnswer[]> = {}
  for (const operation of CONTROL_OPERATIONS) {
    if (NOT_SHOWN.has(operation.id)) continue
    answers[operation.id] = []
    for (const example of exampleRequests(operation))
      answers[operation.id]?.push({ name: example.name, answer: await ask(operation, example) })
  }
  return answers
}

/** Each in a server of its own, independent of earlier ones. */
async function ask(operation: ControlOperation, example: ControlExampleRequest): Promise<unknown> {
  const registry = new Registry(
    worlds,
    ACTIVE_ACTIONS,
    { clock: 'held', epoch: 'tape', now: SESSION_MS },
    undefined,
    undefined,
    library,
  )
  await registry.open()
  try {
    if (operation.id === 'sandbox.drop') await registry.create({ name: example.path.id ?? '' })
    prepare(operation, registry.list()[0] as Sandbox)
    return shortened(await call(operation, example, registry))
  } finally {
    registry.close()
  }
}

/** Creates what an example removes. */
function prepare({ id }: ControlOperation, { bookmarks, playhead, faultInjection }: Sandbox) {
  if (id === 'bookmark.delete') bookmarks.set('start', playhead.span.startMs)
  if (id === 'scenario.clear') faultInjection.set(library('maintenance'))
}

const library = scenarioLibrary(path.join(ROOT, 'scenarios'))

const worlds = worldProvider({
  tape: DEFAULT_TAPE,
  seed: 1,
  log: () => {},
  recordings: path.join(ROOT, 'recordings'),
  cacheDir: path.join(ROOT, '.cache', 'worlds'),
})

const SESSION_MS = Date.parse('2026-01-15T12:00:00Z')

async function call(
  operation: ControlOperation,
  { path: params, query, body }: ControlExampleRequest,
  registry: Registry,
) {
  const answer = await routeOf(operation, registry).answer({
    params,
    query: new URLSearchParams(query as Record<string, string> | undefined).toString(),
    body: JSON.stringify(body ?? {}),
    headers: new Headers(),
    origin: 'http://127.0.0.1:4010',
  })
  if (answer.status !== 200) throw new Error(`${operation.id}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body as string) as unknown
}
