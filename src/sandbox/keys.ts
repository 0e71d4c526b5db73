/**
 * The keys of a sandbox and what each may do (spec, Authentication 7 and Distributor management).
 */
import type { Access } from '../contract/access.ts'
import type { Dice } from '../random/dice.ts'

/** What a key stands for. */
export type KeyKind = 'full' | 'partner' | 'sub' | 'bare'

export interface Key {
  accessKey: string
  secretKey: string
  kind: KeyKind
  /** Actions and named permissions; null grants all of them. */
  grants: ReadonlySet<string> | null
  /** Level of a sub key. */
  level: string | null
}

export type KeySet = Record<KeyKind, Key>

/** Whether a key may call. */
export function mayCall(key: Key, access: Access): boolean {
  switch (access.kind) {
    case 'public':
    case 'signed':
      return true
    case 'distributor':
      return key.kind === 'partner' || key.kind === 'full'
    case 'permission':
      return key.grants === null || key.grants.has(access.name)
  }
}

const KINDS: readonly KeyKind[] = ['full', 'partner', 'sub', 'bare']

/** Four keys for a new sandbox; the sub key has `granted`, the bare one nothing. */
export function mintKeys(sandboxId: string, dice: Dice, granted: readonly string[]): KeySet {
  return keySet(granted, (kind) => ({
    accessKey: `${sandboxId}-${kind}-${dice.hex(8)}`,
    secretKey: dice.hex(40),
  }))
}

/** The keys of the default sandbox, the same on every machine. */
export function demoKeys(granted: readonly string[]): KeySet {
  return keySet(granted, (kind) => {
    const accessKey = kind === 'full' ? 'demo' : `demo-${kind}`
    return { accessKey, secretKey: `${accessKey}-secret` }
  })
}

function keySet(
  granted: readonly string[],
  name: (kind: KeyKind) => Pick<Key, 'accessKey' | 'secretKey'>,
): KeySet {
  const grants = { full: null, partner: null, sub: new Set(granted), bare: new Set<string>() }
  const levels = { full: null, partner: null, sub: 'basic', bare: 'bare' }
  const entries = KINDS.map((kind) => [
    kind,
    { ...name(kind), kind, grants: grants[kind], level: levels[kind] },
  ])
  return Object.fromEntries(entries) as KeySet
}
