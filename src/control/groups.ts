/** What each group of control calls is about, in the order in which documents show them. */
import type { ControlOperation } from './control-operation.ts'

export const CONTROL_GROUPS: Readonly<Record<string, string>> = {
  sandbox: 'Sandboxes: a market, keys, a clock and a journal of their own.',
  clock: 'The session clock: signatures, quotas and idle connections run on it.',
  market: 'What the market is told to do.',
  playhead: 'Where in the tape the market stands, and how fast it goes on.',
  bookmark: 'Positions of the tape by name.',
  scenario: 'What goes wrong.',
  story: 'What a console can show by itself.',
  await: 'Waiting for clients, without sleeps.',
  journal: 'Every request and frame, and why it was answered so.',
  digest: 'What it has said, as one line.',
  connection: 'Sockets that are open.',
  usage: 'What keys have used.',
  key: 'Sub keys, direct keys and distributors.',
  invite: 'Invite tokens.',
  snapshot: 'The whole state of a sandbox as JSON.',
  cast: 'Who and what one can ask for.',
  explain: 'Why a request is refused.',
  conformance: 'The suite, run by the server.',
  guest: 'Looking without changing.',
  health: 'Whether the server is ready.',
  metrics: 'What the server does, for Prometheus.',
}

/** The group of a call, by its id. */
export const controlGroupOf = ({ id }: ControlOperation): string => id.split('.')[0] ?? id
