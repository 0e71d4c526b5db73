import { type ApiKey, type Sandbox, someNames } from '../../sandbox/index.ts'
import { NotFoundError } from './control-errors.ts'

/** The key that a path names; a NotFoundError for none. */
export function findKey({ id, tenancy }: Sandbox, accessKey: string): ApiKey {
  const key = tenancy.keys.get(accessKey)
  if (key) return key
  throw new NotFoundError(
    `no key "${accessKey}" in sandbox "${id}"; there are ${someNames(tenancy.keys)}`,
  )
}
