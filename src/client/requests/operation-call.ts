/** What the client has to know of an operation to ask for it. */

export interface OperationCall {
  id: string
  method: string
  /** Relative to the prefix. */
  path: string
  hasBody?: true
  /** Without an envelope around its answer. */
  isBare?: true
  /** It changes what the service keeps: never sent twice. */
  changes?: true
  /** So many addresses of its body are answered; the rest is cut without a word. */
  addressesMax?: number
}

/** How to ask for the operations of a group; `C` has their types. */
export type CallGroup<C> = { readonly [N in keyof C]: OperationCall } & {
  readonly [methods]?: C
}

/** The methods of a group. */
export type CallsOf<G> = G extends { readonly [methods]?: infer C } ? NonNullable<C> : never

/** What an operation without parameters takes. */
export type NoInput = Record<never, never>

/** Known to types only. */
declare const methods: unique symbol
