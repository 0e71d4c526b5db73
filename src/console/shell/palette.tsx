/** Finds views and commands by some letters of theirs. */
import { Finder } from '../parts/finder.tsx'
import { type Command, commands } from './commands.ts'
import { go } from './route.ts'
import { say } from './shell-words.ts'
import type { View } from './view.ts'

const MOST_SHOWN = 12

export function Palette({ views, onClose }: { views: readonly View[]; onClose(): void }) {
  return (
    <Finder
      title={say('palette')}
      hint={say('paletteHint')}
      find={(typed) => foundCommands(views, typed).slice(0, MOST_SHOWN)}
      keyOf={({ title }) => title}
      option={({ title, words }) => (
        <>
          {title} <span class="faint">{words}</span>
        </>
      )}
      onPick={(command) => command.run()}
      onClose={onClose}
    />
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
