import fc from 'fast-check'
import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { QUESTIONS } from '../../../src/contract/questions.ts'
import type { TSchema } from '../../../src/contract/schema.ts'
import { CONTROL_OPERATIONS } from '../../../src/server/control/operations.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { callControl, FUZZED_ID } from '../sandbox/control-call.ts'
import { BYSTANDER_ID, type Market, openMarket } from '../sandbox/market.ts'
import { ScriptPlayer } from '../sandbox/player.ts'
import { type Step, steps } from '../sandbox/steps.ts'
import { fitting } from '../schema-values.ts'
import type { Vocabulary } from '../vocabulary.ts'

interface Script {
  /** Options of the sandbox. */
  options: Record<string, unknown>
  steps: Step[]
}

/** Sandbox options that scripts vary. */
const VARIED = ['clock', 'speed', 'at', 'end', 'epoch', 'profile', 'metering', 'magic']

/**
 * A sandbox, its clients and its test at once: requests, frames and calls of the control plane in
 * any order, while another sandbox gets constant requests.
 */
export const sandboxTarget = fuzzTarget<Script>({
  name: 'sandboxes',
  about: `${OPERATIONS.length} operations, the control plane, sockets and snapshots`,
  perSecond: 6,
  async open() {
    const market = await openMarket()
    const { words } = market
    return {
      scripts: fc.record({ options: options(words), steps: steps(words) }),
      check: (script) => check(market, script),
      close: () => market.registry.close(),
    }
  },
})

async function check(market: Market, script: Script): Promise<void> {
  const player = new ScriptPlayer(market)
  try {
    await create(market, script.options)
    for (const step of script.steps) await player.play(step)
    await player.settle()
    const isFaulty = script.steps.some(
      (step) =>
        step.step === 'restore' ||
        (step.step === 'control' && /scenario|create/.test(step.operation)),
    )
    if (!isFaulty) player.checkFrames()
    await market.bystander.check()
  } finally {
    for (const { id } of market.registry.list())
      if (id !== 'default' && id !== BYSTANDER_ID) market.registry.drop(id)
  }
}

/** With its options, or default ones where they are refused. */
async function create({ registry }: Market, options: Record<string, unknown>): Promise<void> {
  const made = await callControl(registry, 'sandbox.create', { ...options, name: FUZZED_ID })
  if (made.status !== 200) await registry.create({ name: FUZZED_ID })
}

function options(words: Vocabulary): fc.Arbitrary<Record<string, unknown>> {
  const create = CONTROL_OPERATIONS.find(({ id }) => id === 'sandbox.create')
  const properties: Record<string, TSchema> = create?.params?.body?.properties ?? {}
  const answers = Object.entries(QUESTIONS).map(([id, { answers: known }]) =>
    fc.constantFrom(...Object.keys(known)).map((answer) => [id, answer] as const),
  )
  return fc.record(
    {
      ...Object.fromEntries(
        VARIED.map((name) => [name, fitting(properties[name] as TSchema, words)]),
      ),
      questions: fc.array(fc.oneof(...answers), { maxLength: 4 }).map(Object.fromEntries),
    },
    { requiredKeys: [] },
  )
}
