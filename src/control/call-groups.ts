/** What each group of calls is about, in a sentence. */
const GROUPS: Readonly<Record<string, string>> = {
  await: 'Waiting until connections and subscriptions are there: no sleeps in tests.',
  bookmark: 'Positions of the tape by name.',
  cast: 'Who and what one can ask a sandbox for.',
  clock: 'The session clock: signatures, idle connections, rates and quotas run on it.',
  explain: 'Why a request is refused, and what should have been signed.',
  health: 'Whether the server is live and ready.',
  invite: 'Invite tokens, with which distributors register.',
  journal: 'What came in and went out, and why.',
  key: 'Keys of a sandbox: rights, limits, usage.',
  metrics: 'What the server does and holds, for Prometheus.',
  playhead: 'Where in the tape the market stands, how fast it goes, what happens at the end.',
  sandbox: 'Sandboxes: each has a clock, a playhead, keys, limits and a journal of its own.',
  scenario: 'What goes wrong in a sandbox, and when.',
  snapshot: 'The whole state of a sandbox as JSON, and back.',
  usage: 'What a key has used of its quota.',
}

/** The group of a call, by its id. */
export const callGroupOf = ({ id }: { id: string }): string => id.split('.')[0] ?? id

/** A group as a tag of the document. */
export const callGroupTag = (name: string) => ({
  name,
  description: GROUPS[name] ?? `Calls of ${name}.`,
})
