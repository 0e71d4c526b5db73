/** Keys that the rules of a scenario name. */
import { type FieldFlaw, FlawList } from '../../fields/field-flaw.ts'
import { fits } from '../../scenario/name-match.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { scenarioError } from '../../scenario/scenario-parser.ts'
import { unknownText } from '../../suggestion/nearest-name.ts'
import type { Sandbox } from '../sandbox.ts'

/** A UserError for keys that the sandbox does not have. */
export function checkKeys(sandbox: Sandbox, scenario: Scenario): void {
  const flaws = keyFlaws(sandbox, scenario)
  if (flaws.length > 0) throw scenarioError(flaws, scenario.place)
}

/** What is wrong with the keys that it names. */
export function keyFlaws({ id, tenancy }: Sandbox, { rules }: Scenario): readonly FieldFlaw[] {
  const flaws = new FlawList()
  const known = [...tenancy.keys.keys()]
  for (const [at, { on }] of rules.entries())
    for (const name of [on?.key ?? []].flat())
      if (!known.some((key) => fits(name, key))) {
        const text = unknownText(`key of sandbox ${id}`, name, known.slice(0, SHOWN_MAX))
        flaws.add(['rules', at, 'on', 'key'], `is wrong: ${text}`)
      }
  return flaws.found
}

/** So many keys are shown. */
const SHOWN_MAX = 10
