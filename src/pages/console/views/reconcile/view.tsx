/** Identities of an account or a coin: both sides of each, their records, the difference. */

import { useState } from 'preact/hooks'
import type { SandboxControl } from '../../../../clients/control/control.ts'
import { CodeBlock, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useFetched } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import { go, route, sandboxId, type View } from '../../shell/route.ts'
import { wording } from '../../shell/words.ts'

export const reconcileView: View = {
  id: 'reconcile',
  group: 'debug',
  title: () => say('title'),
  about: () => say('about'),
  icon: 'M4 7.5h12M4 12.5h12',
  component: Reconcile,
}

type Answer = Awaited<ReturnType<SandboxControl['reconcile']>>
type IdentityRow = Answer['identities'][number]
type Compared = IdentityRow['compared'][number]

const EVERY_MS = 10_000

/** An address is of its own form; everything else is a coin. */
const subjectOf = (subject: string) =>
  /^0x[0-9a-f]{40}$/i.test(subject) ? { address: subject } : { coin: subject }

function Reconcile() {
  const [subject = 'BTC', picked] = route.value.path
  const all = useFetched(({ control }) => control.reconcile(subjectOf(subject)), {
    of: [subject, era.value],
    everyMs: EVERY_MS,
  })
  return (
    <div class={picked ? 'reconcile with-detail' : 'reconcile'}>
      <Panel title={say('title')} isFlush tools={<SubjectForm key={subject} subject={subject} />}>
        <Shown of={all}>
          {({ identities }) => <Identities of={identities} subject={subject} picked={picked} />}
        </Shown>
      </Panel>
      {picked !== undefined && <IdentityDetail key={picked} subject={subject} id={picked} />}
    </div>
  )
}

/** Which address or coin; those of the cast are offered. */
function SubjectForm({ subject }: { subject: string }) {
  const [typed, setTyped] = useState(subject)
  const cast = useFetched(({ control }) => control.cast(), { of: [era.value] })
  const { coins = [], addresses = {}, personas = {} } = cast.data ?? {}
  const offered: [value: string, name: string][] = [
    ...coins.map((coin): [string, string] => [coin, say('coin')]),
    ...Object.entries(addresses).map(([role, one]): [string, string] => [String(one ?? ''), role]),
    ...Object.entries(personas).map(([name, one]): [string, string] => [addressOf(one), name]),
  ]
  return (
    <form
      class="address-search"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() !== '') go('reconcile', [typed.trim()])
      }}
    >
      <input
        data-search
        aria-label={say('subject')}
        placeholder={say('subject')}
        spellcheck={false}
        list="reconcile-subjects"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <datalist id="reconcile-subjects">
        {offered.map(([value, name]) => value && <option key={value} value={value} label={name} />)}
      </datalist>
      <button type="submit">{say('check')}</button>
    </form>
  )
}

const addressOf = (persona: unknown): string =>
  typeof persona === 'object' && persona !== null && 'address' in persona
    ? String(persona.address)
    : ''

interface IdentitiesProps {
  of: readonly IdentityRow[]
  subject: string
  picked: string | undefined
}

/** Those that fail come first, those without anything to compare last. */
function Identities({ of, subject, picked }: IdentitiesProps) {
  const rank = ({ holds, count }: IdentityRow) => (holds ? (count > 0 ? 1 : 2) : 0)
  const rows = of.toSorted((a, b) => rank(a) - rank(b))
  const failing = of.filter(({ holds }) => !holds).length
  const count = of.reduce((sum, one) => sum + one.count, 0)
  return (
    <>
      <p class={failing > 0 ? 'why bad' : 'why'} role="status">
        {failing > 0
          ? say('failing', { count: failing, total: of.length })
          : say('allHold', { total: of.length, count: numberText(count) })}
      </p>
      <Table
        label={say('title')}
        rows={rows}
        keyOf={({ id }) => id}
        onPick={({ id }) => go('reconcile', [subject, id])}
        columns={[
          { title: say('state'), cell: (row) => <State of={row} /> },
          {
            title: say('identity'),
            cell: ({ id, sentence }) => (
              <button
                type="button"
                class="failure"
                aria-current={id === picked}
                onClick={() => go('reconcile', [subject, id])}
              >
                <strong>{sentence}</strong>
                <code>{id}</code>
              </button>
            ),
          },
          { title: say('count'), isNumber: true, isMinor: true, cell: (row) => row.count },
        ]}
      />
    </>
  )
}

function State({ of: { holds, count } }: { of: IdentityRow }) {
  if (!holds) return <span class="badge down">{say('differs')}</span>
  return count > 0 ? (
    <span class="badge up">{say('holds')}</span>
  ) : (
    <span class="faint">{say('nothing')}</span>
  )
}

/** Both sides of one identity, and the records that make them up. */
function IdentityDetail({ subject, id }: { subject: string; id: string }) {
  const one = useFetched(
    ({ control }) =>
      control.reconcile({ ...subjectOf(subject), identity: id as never, records: true }),
    { of: [subject, id, era.value] },
  )
  const [row, setRow] = useState<string | null>(null)
  return (
    <Panel title={say('sides')} class="failure-detail" tools={<code>{id}</code>}>
      <Shown of={one} isEmpty={({ identities }) => identities[0]?.count === 0}>
        {({ identities: [found] }) =>
          found && (
            <>
              <p>{found.sentence}</p>
              <p class="faint">{found.source}</p>
              <Sides rows={found.compared} onPick={setRow} />
              {found.count > found.compared.length && (
                <p class="faint">
                  {say('shown', { shown: found.compared.length, count: numberText(found.count) })}
                </p>
              )}
              <Records
                of={found.compared.find(({ of }) => of === row) ?? found.compared[0]}
                call={callOf(subject, id)}
              />
              <Requests of={found.requests ?? []} />
            </>
          )
        }
      </Shown>
    </Panel>
  )
}

function Sides({ rows, onPick }: { rows: readonly Compared[]; onPick(of: string): void }) {
  return (
    <Table
      label={say('sides')}
      rows={rows}
      keyOf={({ of }, at) => `${of} ${at}`}
      onPick={({ of }) => onPick(of)}
      columns={[
        {
          title: say('of'),
          cell: ({ of }) => (
            <button type="button" onClick={() => onPick(of)}>
              {of}
            </button>
          ),
        },
        { title: say('left'), isNumber: true, cell: ({ left }) => left },
        { title: '', cell: ({ relation }) => (relation === 'equal' ? '=' : '≤') },
        { title: say('right'), isNumber: true, cell: ({ right }) => right },
        {
          title: say('difference'),
          isNumber: true,
          cell: ({ difference, holds }) => (
            <span class={holds ? 'faint' : 'down'}>{difference}</span>
          ),
        },
        {
          title: say('within'),
          isNumber: true,
          isMinor: true,
          cell: ({ within }) => <span class="faint">{within}</span>,
        },
      ]}
    />
  )
}

/** The requests whose answers are compared, one a line, for a client to send itself. */
function Requests({ of }: { of: NonNullable<IdentityRow['requests']> }) {
  const text = of
    .map(({ method, path, body }) =>
      [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '),
    )
    .join('\n')
  return (
    <>
      <h3>{say('requests')}</h3>
      <CodeBlock text={text} of={say('requests')} />
    </>
  )
}

/** Letters of the records that are shown. */
const RECORDS_MOST = 20_000

function Records({ of, call }: { of: Compared | undefined; call: string }) {
  if (of?.records === undefined || of.records === null) return null
  const text = JSON.stringify(of.records, null, 2)
  return (
    <>
      <h3>{say('records', { of: of.of })}</h3>
      <CodeBlock text={text.slice(0, RECORDS_MOST)} of={say('records', { of: of.of })} />
      {text.length > RECORDS_MOST && (
        <p class="faint">
          {say('cut', { shown: numberText(RECORDS_MOST), count: numberText(text.length) })}{' '}
          <code>{call}</code>
        </p>
      )}
    </>
  )
}

/** The call that answers with all records of an identity. */
const callOf = (subject: string, id: string) => {
  const query = new URLSearchParams({ ...subjectOf(subject), identity: id, records: 'true' })
  return `GET /_control/sandboxes/${sandboxId.value}/reconcile?${query}`
}

const say = wording({
  title: ['Reconcile', '对账'],
  about: [
    'Whether all answers about an account or a coin agree with one another',
    '关于账户或币种的所有应答是否一致',
  ],
  subject: ['Address or coin', '地址或币种'],
  coin: ['coin', '币种'],
  check: ['Check', '核对'],
  state: ['State', '状态'],
  identity: ['What must hold', '恒等式'],
  count: ['Comparisons', '比较次数'],
  holds: ['holds', '成立'],
  differs: ['differs', '不符'],
  nothing: ['nothing to compare', '无可比较'],
  allHold: [
    'All {total} identities hold: {count} comparisons.',
    '全部 {total} 条恒等式成立，共 {count} 次比较。',
  ],
  failing: [
    '{count} of {total} identities do not hold.',
    '{total} 条恒等式中有 {count} 条不成立。',
  ],
  sides: ['Both sides', '两侧数值'],
  of: ['Compared', '比较项'],
  left: ['Left side', '左侧'],
  right: ['Right side', '右侧'],
  difference: ['Difference', '差额'],
  within: ['Allowed', '允许误差'],
  requests: ['Requests whose answers are compared', '参与比较的请求'],
  shown: ['The first {shown} of {count} comparisons.', '共 {count} 次比较，显示前 {shown} 次。'],
  records: ['Records of {of}', '{of} 的记录'],
  cut: [
    'The first {shown} of {count} letters; all of them are in the answer to',
    '共 {count} 个字符，显示前 {shown} 个；全部内容见',
  ],
})
