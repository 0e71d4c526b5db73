import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { parse } from 'yaml'
import { FAULTS } from '../../../src/sandbox/scenario/faults.ts'
import { RuleSelector } from '../../../src/sandbox/scenario/scenario.ts'
import { fitting } from '../schema-values.ts'
import type { Vocabulary } from '../vocabulary.ts'

const FOLDER = path.join(import.meta.dir, '..', '..', '..', 'scenarios')
const SPANS = ['0s', '1s', '10s', '5m', '500ms', '1w', 'x']

/** Scenarios of the control plane: those of the library, and any fault at any time. */
export function scenarios(words: Vocabulary): fc.Arbitrary<unknown> {
  const written = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(path.join(FOLDER, file), 'utf8')) as object)
  const faults = [...FAULTS.values()].map(({ name, settings }) =>
    fitting(settings, words).map((given) => ({ [name]: given })),
  )
  const span = fc.constantFrom(...SPANS)
  const rule = fc.record(
    {
      on: fitting(RuleSelector, words),
      from: span,
      for: span,
      every: span,
      times: fc.integer({ min: 1, max: 5 }),
      do: fc.oneof(...faults),
    },
    { requiredKeys: ['do'] },
  )
  return fc.oneof(
    fc.constantFrom(...written),
    fc.record({ title: fc.constant('fuzzed'), rules: fc.array(rule, { maxLength: 4 }) }),
  )
}
