/** The documents in frames, and the cast with copy buttons. */

import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { CopyButton, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useFetched } from '../../session/asking.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, route, sandboxId } from '../../shell/route.ts'
import { wording } from '../../shell/words.ts'

export const papersView: View = {
  id: 'papers',
  group: 'reference',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.papers,
  component: Papers,
}

const PAPERS = ['cast', 'swagger', 'asyncapi', 'reference', 'control'] as const
type Paper = (typeof PAPERS)[number]

function Papers() {
  const shown = PAPERS.find((one) => one === route.value.query.paper) ?? 'cast'
  const texts: Readonly<Record<Paper, string>> = {
    cast: say('cast'),
    swagger: say('swagger'),
    asyncapi: say('asyncapi'),
    reference: say('referencePage'),
    control: say('control'),
  }
  const address = addressOf(shown)
  return (
    <div class="papers">
      <Panel
        title={texts[shown]}
        isFlush
        tools={
          <>
            <Choice
              label={say('title')}
              value={shown}
              options={PAPERS.map((value) => ({ value, text: texts[value] }))}
              onPick={(paper) => changeQuery({ paper: paper === 'cast' ? null : paper })}
            />
            {address !== null && (
              <a href={address} target="_blank" rel="noreferrer">
                {say('own')}
              </a>
            )}
          </>
        }
      >
        {address === null ? (
          <Cast />
        ) : (
          <iframe key={address} title={texts[shown]} src={address} onLoad={withoutHead} />
        )}
      </Panel>
    </div>
  )
}

/** Its links to the other pages are above it already, and one leads to another console. */
function withoutHead({ currentTarget }: { currentTarget: HTMLIFrameElement }): void {
  const head = currentTarget.contentDocument?.querySelector<HTMLElement>('body > header')
  if (head) head.hidden = true
}

function addressOf(paper: Paper): string | null {
  const sandbox = sandboxId.value
  switch (paper) {
    case 'cast':
      return null
    case 'swagger':
      return sandbox === 'default' ? '/swagger' : `/s/${encodeURIComponent(sandbox)}/swagger`
    case 'asyncapi':
      return '/asyncapi'
    case 'reference':
      return '/reference'
    case 'control':
      return '/_control'
  }
}

// The cast, with copy buttons.

/** Maximum per list; a search finds the others. */
const SHOWN = 12

function Cast() {
  const cast = useFetched(({ control }) => control.cast(), { everyMs: 30_000 })
  const [typed, setTyped] = useState('')
  return (
    <div class="cast">
      <p class="faint">{say('castAbout')}</p>
      <input
        type="search"
        data-search
        aria-label={say('search')}
        placeholder={say('search')}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Shown of={cast}>
        {(data) => (
          <div class="cast-groups">
            {groupsOf(data).map(([name, values]) => (
              <CastGroup key={name} name={name} values={values} typed={typed.toLowerCase()} />
            ))}
          </div>
        )}
      </Shown>
    </div>
  )
}

interface CastValue {
  value: string
  about: string
}

function CastGroup({
  name,
  values,
  typed,
}: {
  name: string
  values: readonly CastValue[]
  typed: string
}) {
  const found = values.filter(({ value, about }) =>
    `${name} ${value} ${about}`.toLowerCase().includes(typed),
  )
  if (found.length === 0) return null
  return (
    <section class="cast-group">
      <h3>
        {name} <span class="faint">{values.length}</span>
      </h3>
      <ul>
        {found.slice(0, SHOWN).map(({ value, about }, index) => (
          <li key={index}>
            <code>{value}</code> <span class="faint">{about}</span>
            <CopyButton text={value} of={value} />
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p class="faint">{say('more', { count: found.length - SHOWN })}</p>}
    </section>
  )
}

/** Lists of texts unchanged, records with details beside their first value. */
function groupsOf(cast: object): [string, CastValue[]][] {
  return Object.entries(cast).flatMap(([name, found]): [string, CastValue[]][] => {
    if (Array.isArray(found)) return [[name, found.map(valueOfEntry)]]
    const inner = Object.entries((found ?? {}) as object)
    if (inner.every(([, value]) => typeof value !== 'object' || value === null))
      return [[name, inner.map(([about, value]) => ({ value: String(value ?? '–'), about }))]]
    if (inner.every(([, value]) => !Array.isArray(value)))
      return [[name, inner.map(([part, value]) => named(part, valueOfEntry(value)))]]
    return inner.map(([part, value]) => [
      `${name}: ${part}`,
      Array.isArray(value) ? value.map(valueOfEntry) : [valueOfEntry(value)],
    ])
  })
}

const named = (name: string, { value, about }: CastValue): CastValue => ({
  value,
  about: `${name}: ${about}`,
})

function valueOfEntry(entry: unknown): CastValue {
  if (typeof entry !== 'object' || entry === null) return { value: String(entry), about: '' }
  const [first = '', ...rest] = Object.values(entry).map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  )
  return { value: first, about: rest.join(' ') }
}

const say = wording({
  title: ['Docs', '文档'],
  about: [
    'Documents, and the test data of this sandbox with copy buttons',
    '内嵌文档，以及可查询的对象清单',
  ],
  cast: ['Test data', '测试数据'],
  castAbout: [
    'Coins, symbols, addresses, orders and ids of this sandbox that can be requested now.',
    '此刻可以查询的人与物：该沙箱的“测试卡号”。',
  ],
  swagger: ['Operations', '接口'],
  asyncapi: ['Sockets', '推送'],
  referencePage: ['Reference', '参考'],
  control: ['Control plane', '控制接口'],
  own: ['Open in a new window', '在新窗口打开'],
  documents: ['For programs', '供程序使用'],
  search: ['Find in the test data', '在测试数据中查找'],
  more: ['and {count} more', '另有 {count} 项'],
})
