import type { Sandbox } from '../../sandbox/sandbox.ts'
import { someNames } from '../../sandbox/some-names.ts'
import type { ApiKey } from '../../sandbox/tenancy/api-key.ts'
import { NotFoundError } from './control-errors.ts'

/** The key that a path names; a NotFoundError for none. */
export function findKey({ id, tenancy }: Sandbox, accessKey: string): ApiKey {
  const key = tenancy.keys.get(accessKey)
  if (key) return key
  throw new NotFoundError(
    `no key "${accessKey}" in sandbox "${id}"; there are ${someNames(tenancy.keys)}`,
  )
}
