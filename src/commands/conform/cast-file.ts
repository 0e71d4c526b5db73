/** The file of `--cast`: who and what there is at a target that its own lists do not show. */
import { readFileSync } from 'node:fs'
import type { Target } from '../../conformance/target.ts'
import { type Static, Type } from '../../contract/schema.ts'
import { checkFields } from '../../fields/field-check.ts'
import { FieldFlaw } from '../../fields/field-flaw.ts'
import { readYaml } from '../../fields/yaml-text.ts'
import { UserError } from '../../user-error.ts'

const Texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))
const Numbers = (description: string) => Type.Optional(Type.Array(Type.Integer(), { description }))

const CastFields = Type.Object(
  {
    addresses: Texts('accounts that trade'),
    coins: Texts('coins of the venue'),
    symbols: Texts('pairs, such as btcswapusdt:binance'),
    orders: Numbers('ids of orders'),
    builders: Texts('addresses of builders'),
    twapIds: Numbers('ids of TWAPs'),
  },
  { additionalProperties: false },
)

/** What is in such a file, YAML or JSON; a UserError names line and field of what is wrong. */
export function readCastFile(file: string): NonNullable<Target['inventory']> {
  return readYaml({ file, text: textOf(file), whole: 'the cast' }, (given) => {
    checkFields(CastFields, given, [])
    const {
      addresses = [],
      builders = [],
      twapIds = [],
      ...first
    } = given as Static<typeof CastFields>
    checkAddresses('addresses', addresses)
    checkAddresses('builders', builders)
    const named = addresses.map((address, at): [string, string] => [`told ${at + 1}`, address])
    return { first, builders, twapIds, addresses: Object.fromEntries(named) }
  })
}

function checkAddresses(name: string, addresses: readonly string[]): void {
  const wrong = addresses.findIndex((address) => !/^0x[0-9a-f]{40}$/i.test(address))
  if (wrong >= 0) throw new FieldFlaw([name, wrong], 'must be 0x and 40 hexadecimal digits')
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`--cast: ${file} cannot be read: ${(error as Error).message}`)
  }
}
