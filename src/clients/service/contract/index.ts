/** The operations of the group `index`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions, NoInput } from '../requests/request.ts'
import type { InfoAnswer, InfoRequest, InfoTypeName } from './info.ts'
import type {
  IndexItem,
  IndexPrice,
} from './records.ts'

/** Requests of `index`. */
export interface IndexCalls {
  /**
   * Description of an index.
   *
   * `GET /index/indexInfo`.
   */
  info<T extends InfoTypeName>(
    input: { body: InfoRequest<T> },
    options?: CallOptions,
  ): Promise<InfoAnswer<T>>

  /**
   * Indexes. All available indexes, with their present values.
   *
   * `GET /index/getIndex`.
   */
  list(input?: NoInput, options?: CallOptions): Promise<{
    list: IndexItem[]
    /** how many */
    count: string
  }>

  /**
   * Value of an index. The value of an index, and its change in 24 hours.
   *
   * `GET /index/indexPrice`.
   */
  price(input: {
    query: {
      /** key of the list of indexes */
      key: string
      /** currency */
      currency?: 'usd' | 'cny' | 'hkd' | 'eur' | 'jpy' | 'krw' | undefined
    }
  }, options?: CallOptions): Promise<IndexPrice>
}

/** How to ask for it. */
export const index: CallGroup<IndexCalls> = {
  info: 'GET /index/indexInfo',
  list: 'GET /index/getIndex',
  price: 'GET /index/indexPrice',
}
