/** What the client has to know of an operation to ask for it. */

export interface OperationCall {
  id: string
  method: string
  /** Relative to the prefix. */
  path: string
  hasBody: boolean
  /** Without an envelope around its answer. */
  isBare: boolean
  /** It changes what the service keeps: never sent twice. */
  changes: boolean
  /** So many addresses of its body are answered; the rest is cut without a word. */
  addressesMax: number | null
}

/**
 * The operations of a group, each in a line: `POST /hl/traders/accounts body addresses=2000`.
 * `C` has their types.
 */
export type CallGroup<C> = { readonly [N in keyof C]: string } & { readonly [methods]?: C }

/** The methods of a group. */
export type CallsOf<G> = G extends { readonly [methods]?: infer C } ? NonNullable<C> : never

/** What an operation without parameters takes. */
export type NoInput = Record<never, never>

/** Known to types only. */
declare const methods: unique symbol

/** An operation out of its line. */
export function operationCall(id: string, line: string): OperationCall {
  const [method = '', path = '', ...words] = line.split(' ')
  const addresses = /addresses=(\d+)/.exec(line)?.[1]
  return {
    id,
    method,
    path,
    hasBody: words.includes('body'),
    isBare: words.includes('bare'),
    changes: words.includes('changes'),
    addressesMax: addresses === undefined ? null : Number(addresses),
  }
}
