/** Writes what became of a request into the sandbox's journal. */
import type { Slices } from '../clock/turns.ts'
import type { Operation } from '../contract/operation.ts'
import type { Refusal } from '../contract/refusal.ts'
import { ENTRY_ANSWER_MAX, ENTRY_TEXT_MAX } from '../sandbox/journal/entry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { HttpRequest, HttpResponse } from './http-message.ts'
import type { Outcome } from './outcome.ts'

/** Answers, and journals the request when the journal is on. */
export function* withJournal(
  sandbox: Sandbox,
  request: HttpRequest,
  operation: Operation | null,
  run: () => Slices<Outcome>,
): Slices<HttpResponse> {
  const { journal, systemClock } = sandbox
  if (!journal.isOn) return given(sandbox, operation, yield* run())
  const startMs = systemClock.monotonicMs()
  const outcome = yield* run()
  const { answer, caller, refusal, why, note, faultRules = [] } = outcome
  const { method, path, query, body } = request
  journal.record({
    kind: 'request',
    sessionMs: sandbox.clock.nowMs(),
    tapeMs: sandbox.position().atMs,
    key: caller?.accessKey ?? null,
    operation: operation?.id ?? null,
    method,
    path,
    query,
    body: body.length > ENTRY_TEXT_MAX ? body.slice(0, ENTRY_TEXT_MAX) : body,
    status: answer.status,
    rule: faultRules.join(', ') || null,
    refused: refusal?.refused ?? null,
    subject: why ?? note ?? (refusal ? refusalSubject(refusal) : null),
    answer: keptAnswer(answer, journal.keepsAnswers),
    answerLength: answer.body.length,
    durationMs: systemClock.monotonicMs() - startMs,
  })
  return given(sandbox, operation, outcome)
}

/** As much of an answer as is kept; null for none. */
function keptAnswer({ status, body }: HttpResponse, keepsAll: boolean): string | null {
  if (status === 200 && !keepsAll) return null
  // A slice would hold on to the whole: what is kept is a text of its own.
  return body.length > ENTRY_ANSWER_MAX
    ? Buffer.from(body.slice(0, ENTRY_ANSWER_MAX)).toString()
    : body
}

/** The `Date` of an answer is the session clock's, as far as it seems ahead. */
function given(
  sandbox: Sandbox,
  operation: Operation | null,
  { answer, clockAheadMs }: Outcome,
): HttpResponse {
  sandbox.said.addAnswer(operation?.id ?? '', sandbox.position().atMs, answer)
  return { ...answer, headers: { ...answer.headers, date: sandbox.date(clockAheadMs) } }
}

/** The parameter, permission or name that a refusal is about. */
function refusalSubject(refusal: Refusal): string | null {
  const { refused: _, ...rest } = refusal
  const [first] = Object.values(rest)
  return first === undefined ? null : String(first)
}
