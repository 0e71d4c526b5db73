import type { TSchema } from '../contract/schema.ts'
import type { Gate } from './gate.ts'

/** What a probe needs besides its target. */
export interface ProbeOptions {
  /** Told of data that has the form of a schema. */
  onData?: (name: string, schema: TSchema, data: unknown) => void
  /** Requests go at once without. */
  gate?: Gate
  /** How often what must agree is looked at again before it counts as different. */
  retries?: number
  /** Whether the main key is known to lack a permission: what asks for it cannot be looked at. */
  lacks?: (permission: string) => Promise<boolean>
}
