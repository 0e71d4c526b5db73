/** The keys of the default sandbox, the same on every machine, and what each may do. */

export interface DemoKey {
  accessKey: string
  secretKey: string
  about: string
}

export const DEMO_KEYS: readonly DemoKey[] = [
  demoKey('demo', 'everything; a distributor of its own'),
  demoKey('demo-partner', 'the distributor'),
  demoKey('demo-sub', 'a sub key of level basic'),
  demoKey('demo-bare', 'a sub key that may do nothing'),
]

/** With it a distributor registers. */
export const DEMO_INVITE = 'demo-invite'

function demoKey(accessKey: string, about: string): DemoKey {
  return { accessKey, secretKey: `${accessKey}-secret`, about }
}
