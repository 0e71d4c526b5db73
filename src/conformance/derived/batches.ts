/** Lists in a request: each of them is answered, and where the contract has a most, no others. */
import type { Operation } from '../../contract/operation.ts'
import type { Parameter } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import { recordsIn } from '../effects/effect.ts'
import type { Probe } from '../probe.ts'
import { REQUIREMENTS, requirementsOf } from '../requirements.ts'
import { retryUntilHeld } from '../response-reading.ts'
import { busyTraders } from '../target-lookups.ts'
import { AskedOperation } from './asked-operation.ts'

/** The case of a list of accounts or of coins in a body that is cut. */
export function batchCases(operation: Operation, parameter: Parameter): Case[] {
  const { name, place, schema } = parameter
  const max = schema['x-cut'] as number | undefined
  const of = SUBJECTS[name]
  // What takes thousands has a case of its own.
  if (place !== 'body' || of === undefined || max === undefined || max > MOST) return []
  const { id } = operation
  const own = REQUIREMENTS.filter((requirement) => requirement.id === `operation.${id}`)
  return [
    {
      id: `batch.${id}.${name}`,
      title: isStated(parameter)
        ? `${id} reads the first ${max} of ${name}, each of them`
        : `${id} reads each of ${name}`,
      checks: [...new Set([...requirementsOf(id, 'limits'), ...own.map((one) => one.id)])],
      run: (probe: Probe) =>
        retryUntilHeld(probe, () =>
          flawOf(new AskedOperation(probe, operation), parameter, max, of),
        ),
    },
  ]
}

const MOST = 100

/** Of other lists the contract does not say how many are read. */
const isStated = ({ name }: Parameter): boolean => name === 'addrs'

interface Subjects {
  /** Some that the target knows. */
  some: (probe: Probe) => Promise<readonly string[]>
  /** One that nobody knows, another for every number. */
  unknown: (at: number) => string
}

const ACCOUNTS: Subjects = {
  some: busyTraders,
  unknown: (at) => `0x${'f'.repeat(32)}${at.toString(16).padStart(8, '0')}`,
}

const SUBJECTS: Readonly<Record<string, Subjects>> = {
  addresses: ACCOUNTS,
  addrs: ACCOUNTS,
  coinKeys: {
    some: async () => ['bitcoin', 'ethereum', 'solana'],
    unknown: (at) => `no-such-coin-${at}`,
  },
}

async function flawOf(
  asked: AskedOperation,
  parameter: Parameter,
  max: number,
  { some, unknown }: Subjects,
): Promise<string | null> {
  const { operation } = asked
  const { name } = parameter
  const answered = async (given: readonly string[]) =>
    recordsIn(await asked.withValue(parameter, given).served()).map(namedIn)
  const known: string[] = []
  for (const one of (await some(asked.probe)).slice(0, SOME))
    if (known.length < 2 && (await answered([one])).includes(one)) known.push(one)
  const [first, last] = known
  if (first === undefined || last === undefined)
    asked.probe.skip('the target does not answer about two of its own')
  const others = (count: number) => Array.from({ length: count }, (_, at) => unknown(at))
  const both = await answered([first, last])
  if (!both.includes(first) || !both.includes(last))
    return `${operation.id} answers about both of two ${name}`
  if (!isStated(parameter)) return null
  if (!(await answered([...others(max - 1), last])).includes(last))
    return `${operation.id} reads ${max} of ${name}`
  const cut = await answered([first, ...others(max - 1), last])
  if (!cut.includes(first)) return `${operation.id} reads the first of ${max + 1} ${name}`
  return cut.includes(last) ? `${operation.id} reads no more than ${max} of ${name}` : null
}

/** So many are asked about for some of whom there is an answer. */
const SOME = 10

/** Of whom a row is, in whichever spelling. */
const namedIn = (row: Readonly<Record<string, unknown>>): string =>
  String(row.address ?? row.Address ?? row.coinKey)
