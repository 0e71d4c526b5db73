/** Writes what became of a request into the sandbox's journal. */
import type { Operation } from '../contract/operation.ts'
import type { Refusal } from '../contract/refusal.ts'
import { KEPT } from '../sandbox/journal/entry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Answer, Request } from './exchange.ts'
import type { Outcome } from './outcome.ts'

/** Answers, and journals the exchange when the journal is on. */
export function journalled(
  sandbox: Sandbox,
  request: Request,
  operation: Operation | null,
  pass: () => Outcome,
): Answer {
  const { journal, machine } = sandbox
  if (!journal.isOn) return dated(sandbox, pass().answer)
  const startMs = machine.monotonicMs()
  const { answer, caller, refusal, why, note, acted = [] } = pass()
  const { method, path, query, body } = request
  journal.record({
    kind: 'exchange',
    sessionMs: sandbox.clock.nowMs(),
    tapeMs: sandbox.here().atMs,
    key: caller?.accessKey ?? null,
    operation: operation?.id ?? null,
    method,
    path,
    query,
    body: body.length > KEPT ? body.slice(0, KEPT) : body,
    status: answer.status,
    scenario: acted.join(', ') || null,
    refused: refusal?.refused ?? null,
    about: why ?? note ?? (refusal ? aboutOf(refusal) : null),
    durationMs: machine.monotonicMs() - startMs,
  })
  return dated(sandbox, answer)
}

/** The `Date` of an answer is the session clock's. */
function dated({ date }: Sandbox, answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, date } }
}

/** The parameter, permission or name that a refusal is about. */
function aboutOf(refusal: Refusal): string | null {
  const { refused: _, ...rest } = refusal
  const [first] = Object.values(rest)
  return first === undefined ? null : String(first)
}
