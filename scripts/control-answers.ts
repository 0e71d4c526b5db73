/** Asks every example of the control plane on the default recording, for its document to show. */
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../src/contract/actions.ts'
import { type CallExample, callExamplesOf, PATH_EXAMPLES } from '../src/control/call-examples.ts'
import { type ControlOperation, routeOf } from '../src/control/control-operation.ts'
import type { ControlAnswer } from '../src/control/example-answers.ts'
import { CONTROL_OPERATIONS } from '../src/control/operations.ts'
import { Registry } from '../src/sandbox/registry.ts'
import { DEFAULT_TAPE, worldProvider } from '../src/sandbox/world-provider.ts'
import { scenarioLibrary } from '../src/scenario/scenario-library.ts'
import { shortened } from './example-answers.ts'
import { ROOT } from './install.ts'

/** What the machine decides, and what is no JSON. */
const NOT_SHOWN = new Set(['health', 'metrics', 'snapshot.get', 'snapshot.put'])

/** By call, in the order of its examples. The same on every machine. */
export async function controlAnswers(): Promise<Record<string, ControlAnswer[]>> {
  const answers: Record<string, ControlAnswer[]> = {}
  for (const operation of CONTROL_OPERATIONS) {
    if (NOT_SHOWN.has(operation.id)) continue
    const declared = callExamplesOf(operation.id)
    const examples = declared.length > 0 ? declared : [{ name: 'answer' }]
    answers[operation.id] = []
    for (const example of examples)
      answers[operation.id]?.push({ name: example.name, answer: await ask(operation, example) })
  }
  return answers
}

/** Each in a server of its own, so that none depends on those before it. */
async function ask(operation: ControlOperation, example: CallExample): Promise<unknown> {
  const registry = new Registry(
    worlds,
    ACTIVE_ACTIONS,
    { clock: 'held', epoch: 'tape', now: SESSION_MS },
    undefined,
    undefined,
    scenarioLibrary(path.join(ROOT, 'scenarios')),
  )
  await registry.open()
  try {
    await call(registry, 'sandbox.create', { name: '', body: { name: DROPPED } })
    await call(registry, 'bookmark.set', { name: '', body: { at: 60_000 } })
    return shortened(await call(registry, operation.id, example))
  } finally {
    registry.close()
  }
}

const worlds = worldProvider({
  tape: DEFAULT_TAPE,
  seed: 1,
  log: () => {},
  recordings: path.join(ROOT, 'recordings'),
  cacheDir: path.join(ROOT, '.cache', 'worlds'),
})

const SESSION_MS = Date.parse('2026-01-15T12:00:00Z')
/** The default sandbox stays. */
const DROPPED = 'mine'

async function call(registry: Registry, id: string, { path: given, query, body }: CallExample) {
  const operation = CONTROL_OPERATIONS.find((one) => one.id === id) as ControlOperation
  const answer = await routeOf(operation, registry).answer({
    params: { ...PATH_EXAMPLES, ...(id === 'sandbox.drop' ? { id: DROPPED } : {}), ...given },
    query: new URLSearchParams(query).toString(),
    body: JSON.stringify(body ?? {}),
    headers: new Headers(),
    origin: 'http://127.0.0.1:4010',
  })
  if (answer.status !== 200) throw new Error(`${id}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body as string) as unknown
}
