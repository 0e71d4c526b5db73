/**
 * Magic values: coins and addresses that always have a certain outcome, for those who can change
 * nothing but a parameter. Nothing of a market is called so.
 */
import { scenarioInline } from './reading.ts'
import type { Scenario } from './scenario.ts'

interface Magic {
  code: string
  /** What happens to a request that names it. */
  means: string
  do: unknown
}

export const MAGIC: readonly Magic[] = [
  { code: '401', means: 'the signature is refused', do: { refuse: { as: 'signature' } } },
  { code: '403', means: 'the permission is missing', do: { refuse: { as: 'permission' } } },
  { code: '429', means: 'too many requests', do: { refuse: { as: 'rate' } } },
  { code: '4290', means: 'the quota is used up', do: { refuse: { as: 'quota' } } },
  { code: '500', means: 'a fault of the service', do: { refuse: { as: 'fault' } } },
  { code: '502', means: 'a page of a gateway', do: { garble: { as: 'html' } } },
  { code: '504', means: 'the answer takes five seconds', do: { delay: { ms: 5_000 } } },
  { code: '600', means: 'half a body', do: 'truncate' },
  { code: '601', means: 'broken JSON', do: { garble: { as: 'json' } } },
  { code: '602', means: 'the body is null', do: { garble: { as: 'null' } } },
  { code: '700', means: 'the connection is lost', do: { drop: { where: 'before' } } },
  { code: '701', means: 'it is lost in the middle', do: { drop: { where: 'middle' } } },
  { code: '204', means: 'there is nothing', do: 'empty' },
]

/** `TRY-429`. */
export const magicCoin = (code: string): string => `TRY-${code}`

/** `0x0000000000000000000000000000000000000429`. */
export const magicAddress = (code: string): string => `0x${code.padStart(40, '0')}`

/** The same as a scenario. */
export const magicScenario = (): Scenario =>
  scenarioInline(
    {
      title: 'Magic values',
      rules: MAGIC.flatMap(({ code, do: deed }) => [
        { name: `magic ${magicCoin(code)}`, on: { coin: magicCoin(code) }, do: deed },
        { name: `magic ${code}`, on: { address: magicAddress(code) }, do: deed },
      ]),
    },
    'magic',
  )

/** Whether a text may hold one; a look that costs next to nothing. */
export const mayBeMagic = (text: string): boolean =>
  text.includes('TRY-') || text.includes(FIRST_DIGITS)

const FIRST_DIGITS = magicAddress('').slice(0, 38)

/** All of them, for people to look at: what each means. */
export const magicValues = (): { coins: Named; addresses: Named } => ({
  coins: named(magicCoin),
  addresses: named(magicAddress),
})

type Named = Record<string, string>

const named = (name: (code: string) => string): Named =>
  Object.fromEntries(MAGIC.map(({ code, means }) => [name(code), means]))
