import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import { NotThere } from './operation.ts'

/** The key that a path names; NotThere for none. */
export function keyNamed({ id, tenancy }: Sandbox, accessKey: string): Key {
  const key = tenancy.keys.get(accessKey)
  if (key) return key
  const known = [...tenancy.keys.keys()].slice(0, 20).join(', ')
  throw new NotThere(`no key "${accessKey}" in sandbox "${id}"; there are ${known}`)
}
