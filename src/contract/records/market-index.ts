/** Indexes of the prices of many coins (the service's documentation, Index). */
import { Digits, OneOf, type Static, Type } from '../schema.ts'

const exact = { additionalProperties: false }

/** A decimal number as text, or a dash while there is none. */
const IndexValue = (description: string) =>
  Type.String({
    pattern: '^-?\\d+(\\.\\d+)?$|^-$',
    description: `${description}; \`-\` without one`,
  })

/** The value of an index, and its last 24 hours. */
export const IndexPrice = Type.Object(
  {
    price: IndexValue('present value'),
    open: IndexValue('value 24 hours ago'),
    high: IndexValue('highest of the 24 hours'),
    low: IndexValue('lowest of the 24 hours'),
    close: IndexValue('present value'),
    degree24H: IndexValue('change in 24 hours, percent'),
    change24H: IndexValue('change in 24 hours'),
    up: IndexValue('number of its coins that rose in 24 hours'),
    down: IndexValue('how many fell'),
  },
  { ...exact, title: 'IndexPrice' },
)
export type IndexPrice = Static<typeof IndexPrice>

/** The description of an index. */
export const IndexInfo = Type.Object(
  {
    show: Type.String({ description: 'short name' }),
    name: Type.String(),
    link: Type.String({ description: 'address of its page' }),
    release_date: Type.String({ description: 'YYYY-MM-DD' }),
    amount: Digits('number of its coins'),
    introduce: Type.String({ description: 'its calculation' }),
    file_name: Type.String({ description: 'name of its rule book; empty without one' }),
    file_link: Type.String({ description: 'address of its rule book; empty without one' }),
  },
  { ...exact, title: 'IndexInfo' },
)
export type IndexInfo = Static<typeof IndexInfo>

/** An index of the list. */
export const IndexItem = Type.Object(
  {
    key: Type.String({ description: '`i:<name>:<source>`' }),
    cn_name: Type.String(),
    en_name: Type.String(),
    show: Type.String({ description: 'short name' }),
    describe: Type.String({ description: 'what it tells' }),
    degree24h: IndexValue('change in 24 hours, percent'),
    price: IndexValue('present value, USD where it is one of money'),
    en_type: Type.String({ description: 'sort of index' }),
    cn_type: Type.String(),
  },
  { ...exact, title: 'IndexItem' },
)
export type IndexItem = Static<typeof IndexItem>

/** Currencies of index values. */
export const Currency = OneOf(['usd', 'cny', 'hkd', 'eur', 'jpy', 'krw'], 'currency')
export type Currency = Static<typeof Currency>
