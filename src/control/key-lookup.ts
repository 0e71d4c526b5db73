import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ApiKey } from '../sandbox/tenancy/api-key.ts'
import { NotFoundError } from './control-errors.ts'

/** The key that a path names; a NotFoundError for none. */
export function findKey({ id, tenancy }: Sandbox, accessKey: string): ApiKey {
  const key = tenancy.keys.get(accessKey)
  if (key) return key
  const known = [...tenancy.keys.keys()].slice(0, 20).join(', ')
  throw new NotFoundError(`no key "${accessKey}" in sandbox "${id}"; there are ${known}`)
}
