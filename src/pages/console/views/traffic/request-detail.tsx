/** A request with its response, and its checks. */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry, Reason, RequestEntry } from '../../../../clients/control/records.ts'
import { unsigned } from '../../journal/repeated-request.ts'
import { JsonView } from '../../json/json-view.tsx'
import { ErrorNote } from '../../parts/shown.tsx'
import { controlPlane } from '../../session/connection.ts'
import { documentedOperation, type SchemaNode } from '../../session/documents.ts'
import { numberText } from '../../shell/formats.ts'
import { refusalText, say } from './words.ts'

// Common elements of entry details.

/** A part of the details with a heading. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="detail-part">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** Reasons for a refusal, close or change, as the journal has them from that time. */
export function Why({
  entry,
}: {
  entry: JournalEntry & { refused: string | null; subject: string | null; reason: Reason | null }
}) {
  const { refused, subject, rule, reason } = entry
  if (refused === null && subject === null && rule === null)
    return <p class="note">{say('fine')}</p>
  return (
    <>
      <div class={refused === null ? 'why' : 'why bad'}>
        {refused !== null && <strong>{refusalText(refused, subject)}</strong>}{' '}
        {refused === null && subject !== null && say('about_', { subject })}{' '}
        {rule !== null && <span>{say('actedRule', { rule })}</span>}
      </div>
      {reason !== null && <ReasonText reason={reason} />}
    </>
  )
}

/** What decided, the mend, and what it rests on. */
function ReasonText({ reason: { check, detail, mend, contract, question } }: { reason: Reason }) {
  return (
    <dl class="reason">
      <dt>{say('decided')}</dt>
      <dd>
        <strong>{check}</strong> {detail}
      </dd>
      {mend !== null && (
        <>
          <dt>{say('mend')}</dt>
          <dd>{mend}</dd>
        </>
      )}
      {contract !== null && (
        <>
          <dt>{say('contract', { place: contract.place })}</dt>
          <dd>{contract.sentence}</dd>
        </>
      )}
      {question !== null && (
        <>
          <dt>{say('openQuestion', { id: question.id })}</dt>
          <dd>
            {question.question} {say('answeredHere', { answer: question.answer })} {question.means}
          </dd>
        </>
      )}
      {contract === null && question === null && check !== 'rule' && check !== 'magic' && (
        <>
          <dt>{say('contractSilent')}</dt>
          <dd>{say('ownChoice')}</dd>
        </>
      )}
    </dl>
  )
}

// Descriptions of a schema's fields, by path in the data.

/** Deeper than any response of the contract. */
const DEPTH_MAX = 12

/** Descriptions by path, as `JsonLine` has it: `data.[].coin`. */
function schemaNotes(
  schema: SchemaNode,
  named: Readonly<Record<string, SchemaNode>>,
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>()
  note(schema, [], { named, notes })
  return notes
}

interface Reading {
  named: Readonly<Record<string, SchemaNode>>
  notes: Map<string, string>
}

function note(node: SchemaNode, path: readonly string[], reading: Reading): void {
  if (path.length > DEPTH_MAX) return
  const { named, notes } = reading
  const target = node.$ref === undefined ? node : { ...named[node.$ref.split('/').at(-1) ?? ''] }
  const name = path.join('.')
  const description = node.description ?? target.description
  if (description !== undefined && name !== '' && !notes.has(name)) notes.set(name, description)
  for (const [field, inner] of Object.entries(target.properties ?? {}))
    note(inner, [...path, field], reading)
  if (target.items) note(target.items, [...path, '[]'], reading)
  for (const inner of [...(target.anyOf ?? []), ...(target.allOf ?? [])]) note(inner, path, reading)
}

export function RequestDetail({ entry }: { entry: RequestEntry }) {
  const { target, body } = unsigned(entry)
  const notes = useNotes(entry)
  return (
    <>
      <Part title={`${say('why')} · ${entry.status}`}>
        <Why entry={entry} />
        {entry.reason?.check === 'signature' && <SignatureForm entry={entry} />}
      </Part>
      <Part title={say('request')}>
        <p class="mono request-line">
          {entry.method} {target}
        </p>
        <Parameters target={target} notes={notes.parameters} />
        {body !== '' && <JsonView text={body} />}
      </Part>
      <Part title={say('answer')}>
        {entry.answer === null ? (
          <p class="note">{say('notKept')}</p>
        ) : (
          <>
            {entry.answer.length < entry.answerLength && (
              <p class="faint">
                {say('cut', {
                  shown: numberText(entry.answer.length),
                  all: numberText(entry.answerLength),
                })}
              </p>
            )}
            <JsonView text={entry.answer} notes={notes.answer} />
          </>
        )}
      </Part>
    </>
  )
}

interface Notes {
  parameters: Readonly<Record<string, string>>
  answer: ReadonlyMap<string, string>
}

const NO_NOTES: Notes = { parameters: {}, answer: new Map() }

/** Documentation of an operation's fields. */
function useNotes({ operation, status }: RequestEntry): Notes {
  const [notes, setNotes] = useState(NO_NOTES)
  useEffect(() => {
    if (operation === null) return
    documentedOperation(operation)
      .then((found) => {
        const content = found?.operation.responses?.[String(status)]?.content
        const schema = Object.values(content ?? {})[0]?.schema
        const parameters = found?.operation.parameters ?? []
        setNotes({
          parameters: Object.fromEntries(
            parameters.map(({ name = '', description = '' }) => [name, description]),
          ),
          answer: schema ? schemaNotes(schema, found?.schemas ?? {}) : new Map(),
        })
      })
      .catch(() => setNotes(NO_NOTES))
  }, [operation, status])
  return notes
}

function Parameters({ target, notes }: { target: string; notes: Notes['parameters'] }) {
  const parameters = [...new URLSearchParams(target.split('?')[1] ?? '')]
  if (parameters.length === 0) return null
  return (
    <dl class="parameters mono">
      {parameters.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} <span class="json-note">{notes[name]}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Explained = Awaited<ReturnType<ReturnType<typeof controlPlane>['explain']>>

/** Explains a pasted URL now: the journal keeps no signature. */
function SignatureForm({ entry }: { entry: RequestEntry }) {
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState<Explained | null>(null)
  const [error, setError] = useState<unknown>(null)
  const explainUrl = (event: Event) => {
    event.preventDefault()
    setError(null)
    const { method, body } = entry
    controlPlane()
      .explain({ url: typed, method, ...(body ? { body } : {}) })
      .then(setSaid, setError)
  }
  return (
    <div class="explanation">
      <form onSubmit={explainUrl}>
        <p class="faint">{say('explainNote')}</p>
        <input
          aria-label={say('explainUrl')}
          placeholder={say('explainUrl')}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />{' '}
        <button type="submit" disabled={typed === ''}>
          {say('explain')}
        </button>
      </form>
      {error !== null && <ErrorNote error={error} />}
      {said && <Explanation of={said} />}
    </div>
  )
}

function Explanation({ of: { answer, reason, checks, signature } }: { of: Explained }) {
  return (
    <>
      {answer !== null && (
        <p>
          <strong>{say('answerNow', { status: answer.status })}</strong>{' '}
          <span class="mono">{answer.body.slice(0, SHOWN_LENGTH)}</span>
        </p>
      )}
      {reason !== null && <ReasonText reason={reason} />}
      <h4>{say('checks')}</h4>
      <ul class="checks">
        {checks.map(({ check, passed, detail }) => (
          <li key={check} class={passed ? 'passed' : 'failed'}>
            <strong>{check}</strong> {detail}
          </li>
        ))}
      </ul>
      {signature && <Signature of={signature} />}
    </>
  )
}

/** Length of the shown beginning of an answer. */
const SHOWN_LENGTH = 300

function Signature({ of }: { of: NonNullable<Explained['signature']> }) {
  return (
    <>
      {of.mistake !== null && (
        <p class="why bad">
          <strong>{say('mistake')}</strong> {of.mistake}
        </p>
      )}
      <p>{of.explanation}</p>
      <h4>{say('shouldSign')}</h4>
      <p class="mono request-line">{of.stringToSign}</p>
      <ol class="steps">
        {of.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {of.received !== null && (
        <p class="faint">
          {say('received')}: <span class="mono">{of.received}</span>
        </p>
      )}
    </>
  )
}
