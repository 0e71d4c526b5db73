/** The conformance suite, run by the server: begun here, watched, its failures opened. */
import { useEffect, useRef } from 'preact/hooks'
import type { ConformanceRunRecord } from '../../../control-client/records.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ICONS } from '../../parts/icons.ts'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import { controlPlane } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import { go, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { RunForm } from './run-form.tsx'
import { say } from './words.ts'

export const conformanceView: View = {
  id: 'conformance',
  group: 'debug',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.conformance,
  component: Conformance,
}

const LOOK_EVERY_MS = 700

function Conformance() {
  const picked = route.value.path[0]
  const run = useAsked(
    () => controlPlane().conformance.get(picked === undefined ? {} : { case: picked }),
    { of: [picked], everyMs: LOOK_EVERY_MS },
  )
  return (
    <div class={picked ? 'conformance with-detail' : 'conformance'}>
      <Panel title={say('title')}>
        <RunForm isRunning={run.data?.state === 'running'} onChange={run.reload} />
        <Shown of={run}>{(record) => <Progress of={record} />}</Shown>
      </Panel>
      <Panel title={say('failures')} isFlush>
        {run.data && <Failures of={run.data} picked={picked} />}
      </Panel>
      {run.data && picked !== undefined && <PickedFailure of={run.data.failure} />}
    </div>
  )
}

function Progress({ of }: { of: ConformanceRunRecord }) {
  const { state, counts, total } = of
  if (state === 'none') return <p class="note">{say('noRun')}</p>
  const done = counts.passed + counts.failed + counts.skipped
  return (
    <div class="run" role="status">
      <p>
        <span class={state === 'running' ? 'badge accent' : 'badge'}>{say(state)}</span>{' '}
        <strong>{of.target}</strong> {say('elapsed', { s: Math.round(of.elapsedMs / 1000) })}
        {of.remainingMs !== null &&
          ` · ${say('remaining', { s: Math.round(of.remainingMs / 1000) })}`}
      </p>
      <progress max={total} value={done} aria-label={say('progress', { done, total })} />
      <div class="run-counts">
        <Count text={say('progress', { done: numberText(done), total: numberText(total) })} />
        <Count text={`${numberText(counts.passed)} ${say('passed')}`} sort="up" />
        <Count
          text={`${numberText(counts.failed)} ${say('failed')}`}
          sort={counts.failed > 0 ? 'down' : ''}
        />
        <Count text={`${numberText(counts.skipped)} ${say('skipped')}`} sort="faint" />
        {of.requirements && (
          <Count
            text={`${say('requirements')} ${of.requirements.seen} / ${of.requirements.total}`}
          />
        )}
        {of.schemas && (
          <Count text={`${say('schemas')} ${of.schemas.seen} / ${of.schemas.total}`} />
        )}
      </div>
      {of.ended !== null && <p class="why bad">{say('ended', { why: of.ended })}</p>}
      {of.notes.map((note, index) => (
        <p key={index} class="faint">
          {note}
        </p>
      ))}
    </div>
  )
}

const Count = ({ text, sort = '' }: { text: string; sort?: string }) => (
  <span class={sort}>{text}</span>
)

function Failures({ of, picked }: { of: ConformanceRunRecord; picked: string | undefined }) {
  if (of.failures.length === 0)
    return <p class="note">{say(of.state === 'none' ? 'notRun' : 'noFailures')}</p>
  return (
    <ul class="failures">
      {of.failures.map(({ id, title, message }) => (
        <li key={id} class={id === picked ? 'picked' : ''}>
          <button type="button" class="failure" onClick={() => go('conformance', [id])}>
            <strong>{title}</strong>
            <span>{message}</span>
            <code>{id}</code>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** It is brought into sight: it stands below what may be hundreds. */
function PickedFailure({ of }: { of: ConformanceRunRecord['failure'] }) {
  const place = useRef<HTMLDivElement>(null)
  const id = of?.id
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [id])
  return <div ref={place}>{of ? <Failure of={of} /> : <p class="note">{say('notFailed')}</p>}</div>
}

function Failure({ of }: { of: NonNullable<ConformanceRunRecord['failure']> }) {
  return (
    <Panel title={of.title} class="failure-detail" tools={<code>{of.id}</code>}>
      <h3>{say('expected')}</h3>
      <ul>
        {of.expected.map(({ id, text }) => (
          <li key={id}>
            {text} <code>{id}</code>
          </li>
        ))}
      </ul>
      <h3>{say('found')}</h3>
      <p class="why bad">{of.found}</p>
      {of.evidence !== '' && <CodeBlock text={of.evidence} of={say('found')} />}
      <h3>{say('conversation')}</h3>
      {of.conversation.map(({ text, again }, index) => (
        <details key={index} open={index === of.conversation.length - 1}>
          <summary>{text.split('\n')[0]}</summary>
          <CodeBlock text={text} of={say('conversation')} />
          <CodeBlock text={again} of="curl" />
        </details>
      ))}
      <h3>{say('again')}</h3>
      <CodeBlock text={of.again} of={say('again')} />
    </Panel>
  )
}
