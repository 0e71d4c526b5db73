import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { checkFields, FieldFlaw } from '../../../contract/fields/field-check.ts'
import { readYaml } from '../../../contract/fields/yaml-text.ts'
import { UserError } from '../../../platform/user-error.ts'
import { errorText } from '../../compression.ts'
import { readContractSize } from '../contract-size.ts'
import { TIME_UNITS } from '../csv-cells.ts'

/** Required fields of each kind. */
const NEEDS = {
  trade: ['px', 'sz'],
  book: ['bids', 'asks'],
  delta: ['bids', 'asks'],
  level: ['side', 'px', 'sz'],
  bbo: ['bidPx', 'bidSz', 'askPx', 'askSz'],
  mark: ['mark', 'oracle'],
  funding: ['rate'],
  interest: ['openInterest'],
  liquidation: ['side', 'px', 'sz'],
} as const

export type MappedKind = keyof typeof NEEDS

const field = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Integer()], { description }))
const oneOf = (values: readonly string[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  )
const words = (description: string) =>
  Type.Optional(
    Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { description }),
  )
const choice = (values: readonly string[], description: string) =>
  Type.Optional(oneOf(values, description))
const factor = (what: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Number()], { description: `the factor of ${what}` }),
  )

/** Location of one side of a book: columns with a number in their name, or a list. */
const SideField = Type.Optional(
  Type.Object(
    {
      list: field('the field of a list of levels'),
      px: field('the column of a price, `{n}` for the number of the level; in a list its place'),
      sz: field('the same of the size'),
      orders: field('the same of the number of orders'),
      from: Type.Optional(Type.Integer({ minimum: 0, description: 'number of the best level' })),
    },
    { additionalProperties: false, description: 'where a side of a book stands' },
  ),
)

const RecordField = Type.Object(
  {
    kind: oneOf(Object.keys(NEEDS), 'what a record is'),
    files: field('which files: a pattern of their names such as `*trades*`'),
    each: field('the field of a list whose items are the records, each with the fields around it'),
    where: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'only records in which these columns have these values',
      }),
    ),
    coin: field('the column of the symbol'),
    coinName: field('the coin, where no column says it'),
    market: choice(['perp', 'spot'], 'what the symbols are of'),
    time: field('the column of the time'),
    timeUnit: choice(TIME_UNITS, 'how it is written'),
    px: field('the column of the price'),
    sz: field('the column of the size'),
    pxTimes: factor('a price'),
    szTimes: factor('a size'),
    szUnit: choice(['coin', 'contract', 'usd'], 'what sizes are in'),
    contract: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description: 'the size of a contract in coins or dollars: 0.01 or 100usd',
      }),
    ),
    round: Type.Optional(Type.Integer({ minimum: 0, maximum: 12, description: 'decimals kept' })),
    side: field('the column of the side'),
    buy: words('its word for a buyer or a bid'),
    sell: words('its word for a seller or an ask'),
    tid: field('the column of the number of a trade'),
    snapshot: field('the column that says whether a level is of a full book'),
    message: field('the column that rows of one message share; else their time'),
    bids: SideField,
    asks: SideField,
    ...Object.fromEntries(
      ['bidPx', 'bidSz', 'askPx', 'askSz', 'mark', 'oracle', 'rate', 'premium', 'openInterest'].map(
        (name) => [name, field('the column of it')],
      ),
    ),
    rateHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, description: 'of the rate' })),
  },
  { additionalProperties: false },
)

const MappingField = Type.Object(
  {
    records: Type.Array(RecordField, { minItems: 1, description: 'what records are' }),
  },
  { additionalProperties: false },
)

/** Location of one side of a book in a record. */
export type SideMapping = NonNullable<Static<typeof SideField>>

/** Kind and fields of records in some files. */
export type RecordMapping = Omit<Static<typeof RecordField>, 'kind'> & {
  kind: MappedKind
} & Partial<
    Record<
      | 'bidPx'
      | 'bidSz'
      | 'askPx'
      | 'askSz'
      | 'mark'
      | 'oracle'
      | 'rate'
      | 'premium'
      | 'openInterest',
      string | number
    >
  >

/** Placeholder in a template. */
export const OPEN = '???'

export interface Mapping {
  records: RecordMapping[]
}

/** Reads a mapping; a flaw is a `UserError` with file, line and field. */
export function readMapping(file: string): Mapping {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${file}: the mapping cannot be read: ${errorText(error)}`)
  }
  return readYaml({ file, text, whole: 'the mapping' }, (data) => {
    checkFields(MappingField, data, [])
    const mapping = data as Mapping
    for (const [at, record] of mapping.records.entries()) checkRecord(record, at)
    return mapping
  })
}

function checkRecord(record: RecordMapping, at: number): void {
  const { kind, szUnit, contract } = record
  const missing = ['time', ...NEEDS[kind]].filter(
    (name) => record[name as keyof RecordMapping] === undefined,
  )
  if (missing.length > 0)
    throw new FieldFlaw(['records', at], `lacks ${missing.join(', ')}, which a ${kind} needs`)
  for (const [name, value] of Object.entries(record))
    if (value === OPEN) throw new FieldFlaw(['records', at, name], 'is still to be completed')
  if (szUnit === 'contract' && contract === undefined)
    throw new FieldFlaw(['records', at], 'lacks contract: the size of a contract')
  checkNumbers(record, at)
}

/**
 * Factors and contracts are checked in the mapping, so that no line of a recording is refused for
 * them.
 */
function checkNumbers({ pxTimes, szTimes, contract }: RecordMapping, at: number): void {
  for (const [name, value] of Object.entries({ pxTimes, szTimes }))
    if (value !== undefined && !(Number(value) > 0))
      throw new FieldFlaw(['records', at, name], 'must be a number above 0')
  try {
    if (contract !== undefined) readContractSize(String(contract))
  } catch {
    const wanted = 'must be a size in coins or dollars, such as 0.01 or 100usd'
    throw new FieldFlaw(['records', at, 'contract'], wanted)
  }
}
