/** Finds views and commands by some letters of theirs. */
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { say as sayPart } from '../parts/part-words.ts'
import { type Command, commands } from './commands.ts'
import { go } from './route.ts'
import { say } from './shell-words.ts'
import type { View } from './view.ts'

const MOST_SHOWN = 12

export function Palette({ views, onClose }: { views: readonly View[]; onClose(): void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = foundCommands(views, typed).slice(0, MOST_SHOWN)
  const run = (command: Command | undefined) => {
    onClose()
    command?.run()
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt(Math.min(found.length - 1, at + 1)),
    ArrowUp: () => setAt(Math.max(0, at - 1)),
    Enter: () => run(found[at]),
  }
  return (
    <Dialog title={say('palette')} onClose={onClose} class="palette">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] && `palette-${at}`}
        aria-label={say('paletteHint')}
        placeholder={say('paletteHint')}
        autocomplete="off"
        spellcheck={false}
        autoFocus
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      <div id="palette-list" role="listbox" aria-label={say('palette')}>
        {found.length === 0 && <p class="note">{sayPart('noMatch')}</p>}
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={command.title}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            {command.title} <span class="faint">{command.words}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

function foundCommands(views: readonly View[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [
    ...views.map((view) => ({
      title: view.title(),
      words: view.about(),
      run: () => go(view.id),
    })),
    ...[...commands.value.values()].flat(),
  ]
  const ranked = all.flatMap((command) => {
    const title = command.title.toLowerCase()
    const text = `${title} ${command.words?.toLowerCase() ?? ''}`
    if (!words.every((word) => text.includes(word))) return []
    return [{ command, rank: words.every((word) => title.startsWith(word)) ? 0 : 1 }]
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ command }) => command)
}
