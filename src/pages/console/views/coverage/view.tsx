/** What clients have met of the contract: totals, and every requirement and point by its state. */

import type { SandboxControl } from '../../../../clients/control/control.ts'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useFetched } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import { go, route, type View } from '../../shell/route.ts'
import { say, type Word } from './words.ts'

export const coverageView: View = {
  id: 'coverage',
  group: 'debug',
  title: () => say('title'),
  about: () => say('about'),
  icon: 'M4 16V9M8.5 16V4M13 16v-5M17 16H3',
  component: Coverage,
}

type Answer = Awaited<ReturnType<SandboxControl['coverage']>>
type Item = Answer['items'][number]
type Total = Answer['totals'][number]
type Kind = Item['kind']
type State = Item['state']

const EVERY_MS = 5_000

/** Most items that are shown; the call lists more in pages. */
const SHOWN_MOST = 500

const KINDS: readonly Kind[] = [
  'requirement',
  'operation',
  'parameter',
  'cap',
  'refusal',
  'channel',
  'transition',
  'scenario',
]
const STATES: readonly State[] = ['never', 'met', 'handled']

const among = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((one) => one === value)

function Coverage() {
  const kind = among(KINDS, route.value.path[0]) ?? 'requirement'
  const state = among(STATES, route.value.path[1]) ?? 'never'
  const fetched = useFetched(
    ({ control }) => control.coverage({ kind, state, limit: SHOWN_MOST }),
    {
      of: [kind, state, era.value],
      everyMs: EVERY_MS,
    },
  )
  return (
    <div class="coverage">
      <Panel title={say('title')} isFlush>
        <Shown of={fetched}>
          {(answer) => (
            <>
              <Share of={answer} />
              <Totals of={answer.totals} state={state} />
              <Lists of={answer} />
            </>
          )}
        </Shown>
      </Panel>
      <Panel title={say(kind)} isFlush tools={<States kind={kind} state={state} />}>
        <Shown of={fetched} isEmpty={({ items }) => items.length === 0}>
          {(answer) => <Items of={answer.items} state={state} />}
        </Shown>
      </Panel>
    </div>
  )
}

function Share({ of: { totals } }: { of: Answer }) {
  const { met = 0, total = 1 } = totals.find((one) => one.kind === 'requirement') ?? {}
  const percent = Math.floor((1000 * met) / Math.max(1, total)) / 10
  return (
    <p class="why" role="status">
      {say('share', { percent, met: numberText(met), total: numberText(total) })}
    </p>
  )
}

function Totals({ of, state }: { of: readonly Total[]; state: State }) {
  return (
    <Table
      label={say('title')}
      rows={of}
      keyOf={({ kind }) => kind}
      onPick={({ kind }) => go('coverage', [kind, state])}
      columns={[
        {
          title: say('kind'),
          cell: ({ kind }) => (
            <button type="button" onClick={() => go('coverage', [kind, state])}>
              {say(kind)}
            </button>
          ),
        },
        { title: say('met'), isNumber: true, cell: ({ met }) => numberText(met) },
        { title: say('of'), isNumber: true, cell: ({ total }) => numberText(total) },
        {
          title: say('handled'),
          isNumber: true,
          cell: ({ handled, judgeable }) => (judgeable === 0 ? '' : `${handled} / ${judgeable}`),
        },
      ]}
    />
  )
}

/** What rests on open questions, and what the contract does not have. */
function Lists({ of: { questions, leniencies, beyond } }: { of: Answer }) {
  const lists: [Word, Readonly<Record<string, number>>][] = [
    ['questions', questions],
    ['leniencies', leniencies],
    ['beyond', beyond],
  ]
  return (
    <>
      {lists.map(([title, counts]) => {
        const all = Object.entries(counts)
        if (all.length === 0) return null
        return (
          <p key={title} class="faint">
            {say(title)}: {all.map(([name, count]) => `${name} (${numberText(count)})`).join(', ')}
          </p>
        )
      })}
    </>
  )
}

function States({ kind, state }: { kind: Kind; state: State }) {
  return (
    <Choice
      label={say('state')}
      options={STATES.map((value) => ({ value, text: say(value) }))}
      value={state}
      onPick={(next) => go('coverage', [kind, next])}
    />
  )
}

function Items({ of, state }: { of: readonly Item[]; state: State }) {
  return (
    <Table
      label={say(state)}
      rows={of}
      keyOf={({ id }) => id}
      columns={[
        {
          title: say('item'),
          cell: ({ id, text }) => (
            <>
              <span>{text}</span> <code class="faint">{id}</code>
            </>
          ),
        },
        { title: say('section'), isMinor: true, cell: ({ section }) => section },
        { title: say('count'), isNumber: true, cell: ({ met }) => numberText(met) },
        {
          title: say('shownBy'),
          isMinor: true,
          cell: ({ evidence }) => (
            <span class="faint">{evidence === null ? '' : say(evidence)}</span>
          ),
        },
      ]}
    />
  )
}
