/** The keys of a sandbox, which its snapshot has with their secrets. */
import type { Control, Snapshot } from '../../control-client/control.ts'
import { DEMO_KEYS } from '../../specs/demo-keys.ts'
import type { SigningKey } from './account.ts'
import { isGuest } from './guest.ts'

const PUBLIC_KEYS = DEMO_KEYS.map(({ accessKey, secretKey, about }) => ({
  accessKey,
  secretKey,
  name: about,
}))

/** Those that are let in, the one that may do everything first; guests have the public ones. */
export async function signingKeys(control: Control, sandbox: string): Promise<SigningKey[]> {
  if (isGuest.value) return PUBLIC_KEYS
  const snapshot = (await control.snapshot.get(sandbox)) as Snapshot & KeptKeys
  const { full } = snapshot.progress.initialKeys
  return snapshot.keys
    .filter(({ status }) => status !== 'disabled')
    .map(({ accessKey, secretKey, name }) => ({ accessKey, secretKey, name }))
    .sort((a, b) => Number(isFull(b)) - Number(isFull(a)))

  function isFull({ accessKey }: SigningKey): boolean {
    return accessKey === full.accessKey
  }
}

/** As much as is read of a snapshot. */
interface KeptKeys {
  keys: (SigningKey & { status?: string })[]
  progress: { initialKeys: { full: { accessKey: string } } }
}
