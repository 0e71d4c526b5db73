/** A key: who signs with it, and what it may do. */

/** `partner` is a distributor's primary key, `sub` a key of one of its customers. */
export type KeyKind = 'full' | 'partner' | 'sub' | 'direct'

export interface Key {
  accessKey: string
  secretKey: string
  kind: KeyKind
  /** For whom it was made. */
  name: string
  /** A sub key's distributor, by access key. */
  distributor: string | null
  /** Level of a sub key, by name; it may have been deleted since. */
  level: string | null
  /** Permissions of a direct key; null grants all. A sub key has those of its level. */
  grants: ReadonlySet<string> | null
  /** Requests a month; null for a level's own number, or for no limit. */
  monthlyQuota: number | null
  /** Requests a minute; null for a level's own number, or for no limit. */
  rateLimit: number | null
  status: 'active' | 'disabled'
  /** Session time. */
  createdMs: number
}

/** A key that stands for itself and may call everything, but for what is said. */
export const keyOf = (
  names: Pick<Key, 'accessKey' | 'secretKey' | 'kind' | 'name' | 'createdMs'> & Partial<Key>,
): Key => ({
  distributor: null,
  level: null,
  grants: null,
  monthlyQuota: null,
  rateLimit: null,
  status: 'active',
  ...names,
})
