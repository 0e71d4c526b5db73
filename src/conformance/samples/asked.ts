/** What was asked, without its signature: from it a program is written that asks it again. */

interface AskedAnywhere {
  /** In full, without credentials. */
  address: string
  signedIn: 'query' | 'body' | 'nowhere'
  /** How old its signature is, s. */
  ageS: number
}

/** A request. */
export interface AskedRequest extends AskedAnywhere {
  kind: 'request'
  method: string
  /** JSON, without credentials. */
  body?: string
  /** It asks for a socket, and is to show what is answered in place of one. */
  opensSocket?: true
}

/** A socket and what its client has said on it. */
export interface AskedSocket extends AskedAnywhere {
  kind: 'socket'
  frames: readonly string[]
}

export type Asked = AskedRequest | AskedSocket

/** Whoever runs a sample sets these two; the signature is made from them. */
export const KEY_VARIABLES = ['ACCESS_KEY', 'SECRET_KEY'] as const
