/** The conformance suite, run by the server: started here, monitored, failures expanded. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConformanceRunRecord } from '../../../../clients/control/records.ts'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { CodeBlock, Gate, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useFetched } from '../../session/asking.ts'
import { controlPlane } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import type { View } from '../../shell/route.ts'
import { go, route } from '../../shell/route.ts'
import { attempt } from '../../shell/toast-list.tsx'
import { wording } from '../../shell/words.ts'

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
  const run = useFetched(
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

/** Scrolled into view: it is below hundreds of others. */
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

/** Form of the suite's target, with start and stop buttons. */
const EMPTY = { url: '', accessKey: '', secretKey: '', only: '', rate: '' }
const SECRET = { type: 'password' } as const
type Fields = typeof EMPTY

function RunForm({ isRunning, onChange }: { isRunning: boolean; onChange(): void }) {
  const [place, setPlace] = useState<'this' | 'other'>('this')
  const [fields, setFields] = useState(EMPTY)
  const field = (name: keyof Fields, label: string, hint = '') => (
    <RunField name={name} label={label} hint={hint} fields={fields} onChange={setFields} />
  )
  const start = async () => {
    await attempt(() => controlPlane().conformance.start(runOf(place, fields)), say('begun'))
    onChange()
  }
  return (
    <Gate>
      <form
        class="run-form"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <Choice
          label={say('target')}
          value={place}
          options={[
            { value: 'this', text: say('thisServer') },
            { value: 'other', text: say('other') },
          ]}
          onPick={(picked) => setPlace(picked)}
        />
        {place === 'other' && (
          <>
            {field('url', say('url'), 'https://')}
            {field('accessKey', say('accessKey'))}
            {field('secretKey', say('secretKey'))}
            {field('rate', say('rate'), say('rateHint'))}
          </>
        )}
        {field('only', say('only'), say('onlyHint'))}
        <RunButton isRunning={isRunning} onChange={onChange} />
      </form>
    </Gate>
  )
}

function RunButton({ isRunning, onChange }: { isRunning: boolean; onChange(): void }) {
  const stop = () => attempt(() => controlPlane().conformance.stop()).then(onChange)
  return isRunning ? (
    <button type="button" class="danger" onClick={stop}>
      {say('stop')}
    </button>
  ) : (
    <button type="submit" class="primary">
      {say('run')}
    </button>
  )
}

interface RunFieldProps {
  name: keyof Fields
  label: string
  hint: string
  fields: Fields
  onChange(fields: Fields): void
}

function RunField({ name, label, hint, fields, onChange }: RunFieldProps) {
  return (
    <label>
      {label}
      <input
        {...(name === 'secretKey' ? SECRET : {})}
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        value={fields[name]}
        onInput={({ currentTarget }) => onChange({ ...fields, [name]: currentTarget.value })}
      />
    </label>
  )
}

function runOf(place: 'this' | 'other', { url, accessKey, secretKey, only, rate }: Fields) {
  const names = only.split(/[\s,]+/).filter(Boolean)
  return {
    ...(place === 'other' ? { target: url, keys: { full: { accessKey, secretKey } } } : {}),
    ...(names.length > 0 ? { only: names } : {}),
    ...(rate === '' || place === 'this' ? {} : { ratePerMinute: Number(rate) }),
  }
}

const say = wording({
  title: ['Conformance', '一致性'],
  about: ['Run the suite against this or another service', '对本服务或其他服务运行一致性测试'],
  run: ['Run', '运行'],
  stop: ['Stop', '停止'],
  target: ['Target', '目标'],
  thisServer: ['This server, in a sandbox made for the run', '本服务器（为此新建沙箱）'],
  other: ['Another service', '其他服务'],
  url: ['Base URL', '基础 URL'],
  accessKey: ['Access key', '访问密钥'],
  secretKey: ['Secret key', '私钥'],
  only: ['Cases that begin with', '用例前缀'],
  onlyHint: ['all, or e.g. authentication', '全部，或例如 authentication'],
  rate: ['Requests a minute at most', '每分钟请求上限'],
  rateHint: ['as many as the target answers', '以目标可应答为限'],
  progress: ['{done} of {total} cases', '{done} / {total} 个用例'],
  passed: ['passed', '通过'],
  failed: ['failed', '失败'],
  skipped: ['skipped', '跳过'],
  elapsed: ['{s} s', '{s} 秒'],
  remaining: ['about {s} s left', '约剩 {s} 秒'],
  requirements: ['Requirements checked', '已检查的要求'],
  schemas: ['Schema parts seen', '已见的结构'],
  failures: ['Failures', '失败用例'],
  noFailures: ['Nothing has failed.', '没有失败。'],
  notRun: ['They are listed here after a run.', '运行后在此列出。'],
  noRun: [
    'No run yet. A run of all cases takes about half a minute here.',
    '尚未运行。在此完整运行约需半分钟。',
  ],
  notFailed: ['This case has not failed in the latest run.', '该用例在最近一次运行中没有失败。'],
  ended: ['Ended: {why}', '已结束：{why}'],
  expected: ['Required', '要求'],
  found: ['Found', '发现'],
  conversation: ['Requests and responses', '交互过程'],
  again: ['Run this case alone', '单独运行此用例'],
  begun: ['The run has begun', '已开始运行'],
  running: ['running', '运行中'],
  over: ['finished', '已完成'],
})
