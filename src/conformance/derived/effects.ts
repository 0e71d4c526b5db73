/** What another value of a parameter changes, as the table of effects says. */
import type { Operation } from '../../contract/operation.ts'
import { fullName, isOfType, type Parameter } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import type { EffectEntry } from '../effects/effect.ts'
import { EFFECTS } from '../effects/tables/table.ts'
import type { Probe } from '../probe.ts'
import { REQUIREMENTS, requirementsOf } from '../requirements.ts'
import { AskedOperation } from './asked-operation.ts'
import { callerOf } from './example-requests.ts'

/** The entry of a parameter in the table. */
export const effectOf = ({ id }: Operation, parameter: Parameter): EffectEntry | undefined =>
  EFFECTS[id]?.[fullName(parameter)]

/** The case of a parameter whose effect is looked for here. */
export function effectCases(operation: Operation, parameter: Parameter): Case[] {
  const entry = effectOf(operation, parameter)
  if (entry === undefined || !('effect' in entry || 'listed' in entry)) return []
  const name = fullName(parameter)
  const { of } = parameter
  const example = of && operation.examples.find(({ body }) => isOfType(body, of.type))
  const effect = 'effect' in entry ? entry.effect : entry.listed
  return [
    {
      id: `effects.${operation.id}.${name}`,
      title: `${operation.id} answers as ${name} asks, and another ${name} otherwise`,
      checks: checksOf(operation, entry.checks ?? []),
      ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
      run: (probe: Probe) => effect(new AskedOperation(probe, operation, {}, example), parameter),
    },
  ]
}

/** The requirements of the entry; else those of values, and what is said of the operation. */
function checksOf({ id }: Operation, named: readonly string[]): string[] {
  const own = `operation.${id}`
  const known = REQUIREMENTS.some((requirement) => requirement.id === own) ? [own] : []
  return [...new Set([...named, ...requirementsOf(id, 'values'), ...known])]
}
