/** A request with its response, and its checks. */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry, RequestEntry } from '../../../../clients/control/records.ts'
import { bare, unsigned } from '../../journal/repeated-request.ts'
import { JsonView } from '../../json/json-view.tsx'
import { ErrorNote } from '../../parts/shown.tsx'
import { controlPlane, session } from '../../session/connection.ts'
import { documentedOperation, type SchemaNode } from '../../session/documents.ts'
import { numberText } from '../../shell/formats.ts'
import { say } from './words.ts'

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

/** Reasons for a refusal, close or change, in a sentence each. */
export function Why({
  entry,
}: {
  entry: JournalEntry & { refused: string | null; subject: string | null }
}) {
  const { refused, subject, rule } = entry
  if (refused === null && subject === null && rule === null)
    return <p class="note">{say('fine')}</p>
  return (
    <div class={refused === null ? 'why' : 'why bad'}>
      {refused !== null && <strong>{say('refusedAs', { name: refused })}</strong>}{' '}
      {subject !== null && say('about_', { subject })}{' '}
      {rule !== null && <span>{say('actedRule', { rule })}</span>}
    </div>
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
        {entry.refused !== null && <Explanation entry={entry} />}
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

/** Each check that the request would meet now; the signature only where the URL is given. */
function Explanation({ entry }: { entry: RequestEntry }) {
  const [url, setUrl] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState<Explained | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isSignature = entry.refused === 'signature'
  useEffect(() => {
    const base = session.value ? `/s/${session.value.sandbox}` : ''
    const kept = `${base}${bare(entry.path)}?${entry.query}`
    controlPlane()
      .explain({
        url: url ?? kept,
        method: entry.method,
        ...(entry.body ? { body: entry.body } : {}),
      })
      .then(setSaid, setError)
  }, [entry, url])
  return (
    <div class="explanation">
      {error !== null && <ErrorNote error={error} />}
      {said && (
        <>
          <h4>{say('checks')}</h4>
          <ul class="checks">
            {said.checks.map(({ check, passed, detail }) => (
              <li key={check} class={passed ? 'passed' : 'failed'}>
                <strong>{check}</strong> {detail}
              </li>
            ))}
          </ul>
          {said.signature && (url !== null || !isSignature) && <Signature of={said.signature} />}
        </>
      )}
      {isSignature && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setUrl(typed)
          }}
        >
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
      )}
    </div>
  )
}

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
