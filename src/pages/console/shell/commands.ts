/** What the palette offers besides the views: a view's commands are there while it is shown. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export interface Command {
  /** What it does, in the language that is shown. */
  title: string
  /** Further words by which it is found. */
  words?: string
  run(): void
}

export const commands = signal<ReadonlyMap<object, readonly Command[]>>(new Map())

/** Offers commands for as long as the component is shown; told anew when `of` changes. */
export function useCommands(make: () => readonly Command[], of: readonly unknown[] = []): void {
  useEffect(() => {
    const owner = {}
    commands.value = new Map(commands.value).set(owner, make())
    return () => {
      const rest = new Map(commands.value)
      rest.delete(owner)
      commands.value = rest
    }
  }, of)
}
