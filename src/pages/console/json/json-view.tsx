/** JSON with descriptions of fields from its schema. */
import { useState } from 'preact/hooks'
import { wording } from '../shell/words.ts'
import { jsonLines } from './json-lines.ts'

const say = wording({ more: ['{count} more lines', '还有 {count} 行'] })

export interface JsonViewProps {
  text: string
  /** By path. */
  notes?: ReadonlyMap<string, string> | undefined
}

/** Lines shown initially. */
const FIRST_LINES = 120

export function JsonView({ text, notes }: JsonViewProps) {
  const [isWhole, setWhole] = useState(false)
  const lines = jsonLines(text)
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES)
  const noted = new Set<string>()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div class="json mono" tabIndex={0}>
      {shown.map((line, index) => {
        const note = noted.has(line.path) ? undefined : notes?.get(line.path)
        noted.add(line.path)
        return (
          <div key={index} class="json-line">
            <span class="json-text" style={{ paddingLeft: `${line.depth * 1.2}em` }}>
              {coloured(line.text)}
            </span>
            {note !== undefined && <span class="json-note">{note}</span>}
          </div>
        )
      })}
      {shown.length < lines.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {say('more', { count: lines.length - shown.length })}
        </button>
      )}
    </div>
  )
}

/** Colours field names and values. */
function coloured(text: string) {
  const [whole, name, rest] = /^("(?:[^"\\]|\\.)*"): (.*)$/s.exec(text) ?? []
  if (whole === undefined) return text
  return (
    <>
      <span class="json-name">{name}</span>: {rest}
    </>
  )
}
