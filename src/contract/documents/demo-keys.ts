/** The keys of the default sandbox, the same on every machine, with their permissions. */

export interface DemoKey {
  /** Its name in the control plane. */
  role: 'full' | 'partner' | 'sub' | 'bare'
  accessKey: string
  secretKey: string
  about: string
}

export const DEMO_KEYS: readonly DemoKey[] = [
  demoKey('full', 'demo', 'all permissions; a distributor without sub keys'),
  demoKey('partner', 'demo-partner', 'the distributor'),
  demoKey('sub', 'demo-sub', 'a sub key of level basic'),
  demoKey('bare', 'demo-bare', 'a sub key without permissions'),
]

/** The invite token for registering a distributor. */
export const DEMO_INVITE = 'demo-invite'

function demoKey(role: DemoKey['role'], accessKey: string, about: string): DemoKey {
  return { role, accessKey, secretKey: `${accessKey}-secret`, about }
}
