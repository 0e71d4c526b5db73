/** A dialog to find an item by typed letters, and pick it by keys or pointer. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { say } from './part-words.ts'

export interface FinderProps<T> {
  title: string
  /** Placeholder. */
  hint: string
  /** Matches in display order. */
  find(typed: string): readonly T[]
  keyOf(found: T): string
  /** Renders one match. */
  option(found: T): ComponentChildren
  /** A further class of each. */
  optionClass?: string
  /** Renders contents around the list, which may have to be loaded first. */
  around?(list: () => ComponentChildren): ComponentChildren
  onPick(found: T): void
  onClose(): void
}

export function Finder<T>({
  title,
  hint,
  find,
  around,
  onPick,
  onClose,
  ...shown
}: FinderProps<T>) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = find(typed)
  const pick = (one: T | undefined) => {
    if (one === undefined) return
    onClose()
    onPick(one)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt(Math.min(found.length - 1, at + 1)),
    ArrowUp: () => setAt(Math.max(0, at - 1)),
    Enter: () => pick(found[at]),
  }
  const list = () => <Options {...shown} title={title} found={found} at={at} onPick={pick} />
  return (
    <Dialog title={title} onClose={onClose} class="palette">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found[at] && `found-${at}`}
        aria-label={hint}
        placeholder={hint}
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
      {around ? around(list) : list()}
    </Dialog>
  )
}

interface OptionsProps<T>
  extends Pick<FinderProps<T>, 'title' | 'keyOf' | 'option' | 'optionClass' | 'onPick'> {
  found: readonly T[]
  at: number
}

function Options<T>({ title, found, at, keyOf, option, optionClass, onPick }: OptionsProps<T>) {
  return (
    <div id="found" role="listbox" aria-label={title}>
      {found.length === 0 && <p class="note">{say('noMatch')}</p>}
      {found.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={keyOf(one)}
          id={`found-${index}`}
          class={optionClass}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onClick={() => onPick(one)}
        >
          {option(one)}
        </div>
      ))}
    </div>
  )
}
