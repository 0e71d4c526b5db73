/** What each group of control calls is about, in the order in which documents show them. */
import type { ControlOperation } from './control-operation.ts'

export const CONTROL_GROUPS: Readonly<Record<string, string>> = {
  sandbox: 'A sandbox has its own market, keys, clock and journal.',
  clock: 'The session clock, on which signatures, quotas and idle connections depend.',
  market: 'Market events.',
  playhead: 'The position of the market in the tape, and its speed.',
  bookmark: 'Named positions of the tape.',
  scenario: 'Faults on demand.',
  story: 'Demonstrations that the console can play.',
  await: 'Wait for clients without sleeping.',
  journal: 'Every request and frame, with the reason for each answer.',
  digest: 'One line for everything a sandbox has sent.',
  connection: 'Open sockets.',
  usage: 'Usage of keys.',
  key: 'Sub keys, direct keys and distributors.',
  invite: 'Invite tokens.',
  snapshot: 'The whole state of a sandbox as JSON.',
  cast: 'The coins, accounts and ids that you can ask for.',
  reconcile: 'Whether the answers about an account agree.',
  explain: 'Why a request is refused.',
  conformance: 'Runs of the conformance suite on the server.',
  guest: 'Read-only access.',
  health: 'Whether the server is ready.',
  metrics: 'Metrics for Prometheus.',
}

/** The group of a call, by its id. */
export const controlGroupOf = ({ id }: ControlOperation): string => id.split('.')[0] ?? id
