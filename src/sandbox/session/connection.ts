import type { Channel } from '../../contract/channel.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApiKey } from '../tenancy/api-key.ts'

/** Who has connected, and how. */
export interface Caller {
  key: ApiKey | null
  /** The connection's `dex` parameter, for account states. */
  dex: string
}

/** Who is connected to what. */
export interface Connection {
  readonly sandbox: Sandbox
  readonly caller: Caller
  /** What can be followed here. */
  readonly channels: readonly Channel[]
}
