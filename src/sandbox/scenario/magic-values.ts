/**
 * Magic values: coins and addresses that always have a certain outcome, for those who can change
 * nothing but a parameter. No coin and no account of a market has such a name.
 */

import type { Scenario } from './scenario.ts'
import { parseScenario } from './scenario-parser.ts'

interface MagicValue {
  code: string
  /** What happens to a request that names it. */
  means: string
  do: unknown
}

export const MAGIC_VALUES: readonly MagicValue[] = [
  { code: '401', means: 'the signature is refused', do: { refuse: { as: 'signature' } } },
  { code: '403', means: 'the permission is missing', do: { refuse: { as: 'permission' } } },
  { code: '429', means: 'too many requests', do: { refuse: { as: 'rate' } } },
  { code: '4290', means: 'the quota is used up', do: { refuse: { as: 'quota' } } },
  { code: '500', means: 'an internal error of the service', do: { refuse: { as: 'fault' } } },
  { code: '502', means: 'an HTML page of a gateway', do: { corrupt: { as: 'html' } } },
  { code: '504', means: 'the answer takes five seconds', do: { delay: { ms: 5_000 } } },
  { code: '600', means: 'half a body', do: 'truncate' },
  { code: '601', means: 'broken JSON', do: { corrupt: { as: 'json' } } },
  { code: '602', means: 'the body is null', do: { corrupt: { as: 'null' } } },
  { code: '700', means: 'the connection is lost', do: { drop: { where: 'before' } } },
  {
    code: '701',
    means: 'the connection is lost during the answer',
    do: { drop: { where: 'middle' } },
  },
  { code: '204', means: 'the answer is empty', do: 'empty' },
]

/** `TRY-429`. */
export const magicCoin = (code: string): string => `TRY-${code}`

/**
 * `0x7472790000000000000000000000000000000429`: begins with "try" in hexadecimal, so that addresses
 * that a test counts up are never one of them.
 */
export const magicAddress = (code: string): string => `${PREFIX}${code.padStart(34, '0')}`

const PREFIX = '0x747279'

/** The same as a scenario. */
export const magicScenario = (): Scenario =>
  parseScenario(
    {
      title: 'Magic values',
      rules: MAGIC_VALUES.flatMap(({ code, do: fault }) => [
        { name: coinRule(code), on: { coin: magicCoin(code) }, do: fault },
        { name: addressRule(code), on: { address: magicAddress(code) }, do: fault },
      ]),
    },
    'magic',
  )

const coinRule = (code: string) => `magic ${magicCoin(code)}`
const addressRule = (code: string) => `magic ${code}`

const BY_VALUE = new Map(
  MAGIC_VALUES.flatMap(({ code, means }) => [
    [magicCoin(code).toLowerCase(), { rule: coinRule(code), means }] as const,
    [magicAddress(code), { rule: addressRule(code), means }] as const,
  ]),
)

/** Whether a text may hold one; a cheap check. */
export const mayHoldMagicValue = (text: string): boolean =>
  text.includes('TRY-') || text.includes(PREFIX)

/** A magic value among the names that a request gives. */
export interface MagicFound {
  /** Name of its rule. */
  rule: string
  value: string
  means: string
  /** How many names of its kind were given: with more than one it decides for all of them. */
  among: number
}

/** The magic values among coins and addresses, in the order in which they are given. */
export const magicAmong = (coins: readonly string[], addresses: readonly string[]): MagicFound[] =>
  [coins, addresses].flatMap((names) =>
    names.flatMap((value) => {
      const known = BY_VALUE.get(value.toLowerCase())
      return known ? [{ ...known, value, among: names.length }] : []
    }),
  )

/** `0x747279…0429 is one of 3 in the request, and decides for all of it`; null when it is alone. */
export const amongOthers = ({ value, among }: MagicFound): string | null =>
  among > 1 ? `${value} is one of ${among} in the request, and decides for all of it` : null

/** All of them with their meanings. */
export const magicCatalogue = (): { coins: Descriptions; addresses: Descriptions } => ({
  coins: describedBy(magicCoin),
  addresses: describedBy(magicAddress),
})

type Descriptions = Record<string, string>

const describedBy = (name: (code: string) => string): Descriptions =>
  Object.fromEntries(MAGIC_VALUES.map(({ code, means }) => [name(code), means]))
