/** Whom and what one can ask for now, each to be copied. */
import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import { say } from './words.ts'

/** Of each list; a search finds the others. */
const SHOWN = 12

export function Cast() {
  const cast = useAsked(({ control }) => control.cast(), { everyMs: 30_000 })
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

/** Lists of texts as they are, records with what stands beside their first value. */
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
